//--blockDim=64 --gridDim=1
// Shape of real bugs: the fix of a race brings a divergent barrier

// [missing-barrier] The first half combines with the second without waiting for it.
//~ race
__global__ void real_unfixed_combine_bad(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[t]; //~ here
    if (t < 32) {
        out[t] = s[t] + s[t + 32]; //~ here
    }
}

// [divergence] The barrier was put inside the branch: the upper half never arrives, so it does not wait either. Behind a barrier
// that not all reach nothing is ordered, and the race that was there before is not told beside it.
//~ divergence
__global__ void real_wrong_fix_combine_bad(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    if (t < 32) {
        __syncthreads(); //~ here
        out[t] = s[t] + s[t + 32];
    }
}

// The barrier in front of the branch.
//~ race-free
__global__ void real_right_fix_combine_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    if (t < 32) {
        out[t] = s[t] + s[t + 32];
    }
}
