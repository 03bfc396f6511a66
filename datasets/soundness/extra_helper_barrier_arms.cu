//--blockDim=64 --gridDim=1
// Extra: one barrier in the source, two call sites

__device__ void meet_apart() { __syncthreads(); } //~ here
__device__ void meet() { __syncthreads(); }

// [divergence] Both arms call the helper: the instances of its barrier differ.
//~ divergence
__global__ void helper_barrier_arms_bad()
{
    if (threadIdx.x < 32) meet_apart();
    else meet_apart();
}

// One call for all.
//~ race-free
__global__ void helper_barrier_arms_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) s[t] = 1;
    else s[t] = 2;
    meet();
    out[t] = s[63 - t];
}
