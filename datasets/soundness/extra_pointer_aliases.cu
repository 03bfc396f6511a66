// Extra: pointers in memory that has two names, in a launch that passes it twice

struct Row { float *data; int used; };

// [alias] The store goes by the other name.
//~ race
__global__ void pointer_alias_bad(Row *r, Row *q, float *other)
{
    if (threadIdx.x == 0) q->data = other;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}

// [alias] The read goes by the other name.
//~ race
__global__ void pointer_alias_read_bad(Row *r, Row *q, float *other)
{
    if (threadIdx.x == 0) r->data = other;
    __syncthreads();
    q->data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}

// [alias] The other name is that of the second object.
//~ race
__global__ void pointer_alias_second_bad(Row *r, Row *q, float *other)
{
    if (threadIdx.x == 0) q->data = other;
    __syncthreads();
    r[1].data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}

// The second object is another than the first.
//~ race-free
__global__ void pointer_alias_second_ok(Row *r, Row *q, float *other)
{
    if (threadIdx.x == 0) q->data = other;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
    other[threadIdx.x + 1] = 2.0f;
}

// [alias] Neither is written: both names lead to one array.
//~ race
__global__ void pointer_alias_both_bad(const Row *r, const Row *q)
{
    r->data[threadIdx.x] = 1.0f; //~ here
    q->data[threadIdx.x + 1] = 2.0f; //~ here
}

void pointer_alias_host(Row *r, float *other)
{
    pointer_alias_bad<<<1, 64>>>(r, r, other);
    pointer_alias_read_bad<<<1, 64>>>(r, r, other);
    pointer_alias_second_bad<<<1, 64>>>(r, r + 1, other);
    pointer_alias_second_ok<<<1, 64>>>(r, r + 1, other);
    pointer_alias_both_bad<<<1, 64>>>(r, r);
}
