//--blockDim=64 --gridDim=1
// Extra: pointers in memory that the kernel itself changes, through an integer as wide as they are

struct Row { float *data; int used; };

// [overwritten-pointer] From the barrier on, `r->data` is `other`.
//~ fn_race
__global__ void pointer_overwritten_bad(Row *r, float *other)
{
    if (threadIdx.x == 0) *(unsigned long long *)&r->data = (unsigned long long)other;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
    other[threadIdx.x + 1] = 2.0f;
}

// The same, with two threads that never meet in an element.
//~ fp_race-free
__global__ void pointer_overwritten_ok(Row *r, float *other)
{
    if (threadIdx.x == 0) *(unsigned long long *)&r->data = (unsigned long long)other;
    __syncthreads();
    r->data[2 * threadIdx.x] = 1.0f;
    other[2 * threadIdx.x + 1] = 2.0f;
}

// [overwritten-pointer] The pointer is exchanged atomically.
//~ fn_race
__global__ void pointer_exchanged_bad(Row *r, float *other)
{
    if (threadIdx.x == 0) atomicExch((unsigned long long *)&r->data, (unsigned long long)other);
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
    other[threadIdx.x + 1] = 2.0f;
}

// What is written lies behind the pointer: it keeps its value.
//~ race-free
__global__ void pointer_neighbour_ok(Row *r)
{
    if (threadIdx.x == 0) r->used = 64;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
}

// [neighbour] Every thread writes what lies behind the pointer, with values of its own.
//~ race
__global__ void pointer_neighbour_bad(Row *r)
{
    r->used = threadIdx.x; //~ here
    r->data[threadIdx.x] = 1.0f;
}
