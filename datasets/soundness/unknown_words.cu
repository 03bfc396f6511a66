//--blockDim=64 --gridDim=2
// A word that nothing defines before what may be a statement or a declaration: SYNCHRONISE may be a macro with any text, or none.

// The store is there if the word is a statement.
//~ unknown
__global__ void word_before_store_unknown(int *out)
{
    SYNCHRONISE out[threadIdx.x / 2] = threadIdx.x;
}

// The same through a pointer.
//~ unknown
__global__ void word_before_store_by_pointer_unknown(int *out)
{
    SYNCHRONISE *out = threadIdx.x;
}

// In a loop.
//~ unknown
__global__ void word_in_loop_unknown(int *out)
{
    for (int k = 0; k < 4; k++)
        SYNCHRONISE out[k] = threadIdx.x;
}

// Of shared memory.
//~ unknown
__global__ void word_before_shared_unknown(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    {
        SYNCHRONISE s[0] = threadIdx.x;
    }
    out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

__device__ int counted[4];

// Of a variable of the file.
//~ unknown
__global__ void word_before_global_unknown()
{
    SYNCHRONISE counted[3] = threadIdx.x;
}

// Through a member.
struct Sink {
    int *to;
    __device__ void put(int value) { SYNCHRONISE *to = value; }
};

//~ unknown
__global__ void word_before_member_unknown(int *out)
{
    Sink sink{out};
    sink.put(threadIdx.x);
}

// A type that nothing defines, of variables that are new.
//~ race-free
__global__ void word_is_type_ok(int *out)
{
    real_number half = threadIdx.x, parts[2] = {0, 1};
    real_number *first = &parts[0];
    *first = half;
    out[blockIdx.x * 64 + threadIdx.x] = parts[0];
}

// The same race with such a type.
//~ race
__global__ void word_is_type_bad(int *out)
{
    real_number half = threadIdx.x / 2;
    out[(int)threadIdx.x / 2] = threadIdx.x; //~ here
}
