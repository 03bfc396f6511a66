//--blockDim=64 --gridDim=2
// Extra: two stores of a whole object are compared scalar by scalar

struct Two {
    int a, b;
};
struct Row {
    int v[3];
};
struct Padded {
    char c;
    int n;
};
struct Either {
    int a;
    union {
        int i;
        float f;
    };
};
struct Bits {
    unsigned low : 4, high : 12;
    int rest;
};

// All threads store one pair of numbers.
//~ race-free
__global__ void same_object_vector_ok(int2 *o, int n)
{
    o[threadIdx.x & 7] = make_int2(n, 0);
}

// [same-value] The second numbers differ.
//~ race
__global__ void same_object_vector_bad(int2 *o, int n)
{
    o[threadIdx.x & 7] = make_int2(n, threadIdx.x); //~ here
}

// Member by member, then as a whole.
//~ race-free
__global__ void same_object_members_ok(Two *o)
{
    Two p;
    p.a = 0;
    p.b = threadIdx.x & 7;
    o[threadIdx.x & 7] = p;
}

// [same-value] The quotient is not the same in the threads of one element.
//~ race
__global__ void same_object_members_bad(Two *o)
{
    Two p;
    p.a = 0;
    p.b = threadIdx.x >> 3;
    o[threadIdx.x & 7] = p; //~ here
}

// Copies of elements that nobody writes.
//~ race-free
__global__ void same_object_copied_ok(int4 *o, const int4 *in)
{
    o[threadIdx.x & 7] = in[threadIdx.x & 7];
}

// [same-value] Two elements are copied to one.
//~ race
__global__ void same_object_copied_bad(int4 *o, const int4 *in)
{
    o[threadIdx.x & 7] = in[threadIdx.x & 15]; //~ here
}

// [same-value] One number of the copy is changed.
//~ race
__global__ void same_object_changed_bad(Two *o, const Two *in)
{
    Two p = in[threadIdx.x & 7];
    p.b = threadIdx.x;
    o[threadIdx.x & 7] = p; //~ here
}

// Arrays in it.
//~ race-free
__global__ void same_object_array_ok(Row *o)
{
    Row row;
    row.v[0] = 0;
    row.v[1] = threadIdx.x / 64;
    row.v[2] = 2;
    o[0] = row;
}

// [same-value] One element of the array is the thread's.
//~ race
__global__ void same_object_array_bad(Row *o)
{
    Row row;
    row.v[0] = 0;
    row.v[1] = 1;
    row.v[2] = threadIdx.x;
    o[0] = row; //~ here
}

// Nobody reads the bytes behind the character.
//~ race-free
__global__ void same_object_padding_ok(Padded *o)
{
    Padded p;
    p.c = 1;
    p.n = blockDim.x + threadIdx.x / 64;
    o[0] = p;
}

// [width] One thread writes a byte of the padding.
//~ race
__global__ void same_object_padding_bad(Padded *o)
{
    Padded p;
    p.c = 1;
    p.n = 2;
    o[0] = p; //~ here
    if (threadIdx.x == 5) ((char *)o)[1] = 7; //~ here
}

// [same-value] Members that share bytes are not compared.
//~ race
__global__ void same_object_union_bad(Either *o)
{
    Either e;
    e.a = 1;
    e.i = threadIdx.x;
    o[0] = e; //~ here
}

// [same-value] Nor are bit-fields.
//~ race
__global__ void same_object_bits_bad(Bits *o)
{
    Bits b;
    b.low = 1;
    b.high = threadIdx.x;
    b.rest = 0;
    o[0] = b; //~ here
}

// Pairs at a distance of one number, both of it alike.
//~ race-free
__global__ void same_object_overlap_ok(int *g)
{
    *(int2 *)(g + threadIdx.x) = make_int2(2, 2);
}

// [width] The second number of the one is the first of the next.
//~ race
__global__ void same_object_overlap_bad(int *g)
{
    *(int2 *)(g + threadIdx.x) = make_int2(1, 2); //~ here
}

// A pair of numbers and one number of twice the size: the same bytes.
//~ race-free
__global__ void same_object_other_type_ok(int *g)
{
    if (threadIdx.x & 1)
        *(int2 *)g = make_int2(1, 0);
    else
        *(long long *)g = 1;
}

// [same-value] The lower half comes first.
//~ race
__global__ void same_object_other_type_bad(int *g)
{
    if (threadIdx.x & 1)
        *(int2 *)g = make_int2(0, 1); //~ here
    else
        *(long long *)g = 1; //~ here
}

// A member that has the value already.
//~ race-free
__global__ void same_object_one_member_ok(Two *o)
{
    Two p;
    p.a = 1;
    p.b = 2;
    o[0] = p;
    if (threadIdx.x > 3) o[0].b = 2;
}

// [same-value] A member that has another one.
//~ race
__global__ void same_object_one_member_bad(Two *o)
{
    Two p;
    p.a = 1;
    p.b = 2;
    o[0] = p; //~ here
    if (threadIdx.x > 3) o[0].b = 1; //~ here
}

// Zeros of one sign.
//~ race-free
__global__ void same_object_zero_ok(float2 *o)
{
    o[threadIdx.x & 7] = (threadIdx.x & 8) ? make_float2(0.f, 1.f) : make_float2(0.f, 1.f);
}

// [same-value] Zeros of two signs compare equal and are not the same bytes.
//~ race
__global__ void same_object_zero_bad(float2 *o)
{
    if (threadIdx.x & 8)
        o[threadIdx.x & 7] = make_float2(0.f, 1.f); //~ here
    else
        o[threadIdx.x & 7] = make_float2(-0.f, 1.f); //~ here
}

// [same-value] The copied elements change meanwhile.
//~ race
__global__ void same_object_source_bad(Two *o, Two *in)
{
    in[threadIdx.x & 7].b = threadIdx.x; //~ here
    o[threadIdx.x & 7] = in[threadIdx.x & 7]; //~ here
}

// [same-value] The member is the iteration's, and nothing keeps two threads in one.
//~ race
__global__ void same_object_iteration_bad(Two *o)
{
    for (int i = 0; i < 4; i++) {
        Two p;
        p.a = 0;
        p.b = i;
        o[blockIdx.x] = p; //~ here
    }
}

// Objects in shared memory, with a barrier in each iteration.
//~ race-free
__global__ void same_object_iteration_ok(int *g)
{
    __shared__ Two s;
    for (int i = 0; i < 4; i++) {
        Two p;
        p.a = 0;
        p.b = i;
        s = p;
        __syncthreads();
        g[blockIdx.x * blockDim.x + threadIdx.x] = s.b;
        __syncthreads();
    }
}
