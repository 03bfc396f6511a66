//--blockDim=64 --gridDim=1
// Construct: functions without a body

extern __device__ int measure(int v);
__device__ void update(int *p);
__device__ int pure(const int *p);

// Only the value comes from the function, unless it knows the array from elsewhere.
//~ unknown
__global__ void no_body_value_only(int *g)
{
    int t = threadIdx.x;
    g[t] = measure(t);
}

// [missing-barrier] The race is beside it.
//~ race
__global__ void no_body_value_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    int v = s[63 - t]; //~ here
    g[t] = measure(v);
}

// Some functions of that name give two threads one index, as some contents of an array that is read for an index would.
//~ race
__global__ void no_body_index(int *g)
{
    g[measure(threadIdx.x)] = threadIdx.x; //~ here
}

// The function may write the whole array.
//~ unknown
__global__ void no_body_pointer(int *g)
{
    update(g);
}

// It may only read.
//~ unknown
__global__ void no_body_read(int *g)
{
    int t = threadIdx.x;
    g[t] = pure(g);
}
