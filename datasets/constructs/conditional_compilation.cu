//--blockDim=64 --gridDim=1 -DUSE_FENCE=1
// Construct: #if inside a kernel

// The live branch holds the barrier.
//~ race-free
__global__ void conditional_compilation_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
#if USE_FENCE
    __syncthreads();
#endif
    out[t] = s[63 - t];
}

// [macro] The live branch has none.
//~ race
__global__ void conditional_compilation_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
#if !USE_FENCE || defined(OTHER_FENCE)
    __syncthreads();
#endif
    out[t] = s[63 - t]; //~ here
}
