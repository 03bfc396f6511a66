//--blockDim=128 --gridDim=4
// After Chong et al., "Barrier Invariants" (OOPSLA 2013): three prefix sums. Their race-freedom does
// not depend on data; what they compute will matter to compaction.

// Kogge-Stone: every thread adds the element `d` below it, in two phases per step.
//~ race-free
__global__ void prefix_kogge_stone_ok(const int *in, int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int g = blockIdx.x * 128 + t;
    s[t] = in[g];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int x = 0;
        if (t >= d) x = s[t - d];
        __syncthreads();
        if (t >= d) s[t] += x;
        __syncthreads();
    }
    out[g] = s[t];
}

// Kogge-Stone with one phase per step: thread t reads t - d while that thread adds to it.
//~ race
__global__ void prefix_kogge_stone_bad(const int *in, int *out)
{
    __shared__ int s2[128];
    int t = threadIdx.x;
    int g = blockIdx.x * 128 + t;
    s2[t] = in[g];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        if (t >= d) s2[t] += s2[t - d]; //~ here
        __syncthreads();
    }
    out[g] = s2[t];
}

// Sklansky: threads whose bit d is set add the last element of the half before theirs, and that one
// has the bit clear, so one phase per step is enough.
//~ race-free
__global__ void prefix_sklansky_ok(const int *in, int *out)
{
    __shared__ int s3[128];
    int t = threadIdx.x;
    int g = blockIdx.x * 128 + t;
    s3[t] = in[g];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        if (t & d) s3[t] += s3[(t / d) * d - 1];
        __syncthreads();
    }
    out[g] = s3[t];
}

// Sklansky off by one: the first element of the upper half is read, which is written in this step.
//~ race
__global__ void prefix_sklansky_bad(const int *in, int *out)
{
    __shared__ int s4[128];
    int t = threadIdx.x;
    int g = blockIdx.x * 128 + t;
    s4[t] = in[g];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        if (t & d) s4[t] += s4[(t / d) * d]; //~ here
        __syncthreads();
    }
    out[g] = s4[t];
}

// Brent-Kung: up the tree to the ends of blocks of 2 * d, then down to the middles.
//~ race-free
__global__ void prefix_brent_kung_ok(const int *in, int *out)
{
    __shared__ int s5[128];
    int t = threadIdx.x;
    int g = blockIdx.x * 128 + t;
    s5[t] = in[g];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s5[t] += s5[t - d];
        __syncthreads();
    }
    for (int d = 64; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0 && t + d < 128) s5[t + d] += s5[t];
        __syncthreads();
    }
    out[g] = s5[t];
}

// Brent-Kung without the barrier on the way down: the middle of one level is an end of the next.
//~ race
__global__ void prefix_brent_kung_bad(const int *in, int *out)
{
    __shared__ int s6[128];
    int t = threadIdx.x;
    int g = blockIdx.x * 128 + t;
    s6[t] = in[g];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s6[t] += s6[t - d];
        __syncthreads();
    }
    for (int d = 64; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0 && t + d < 128) s6[t + d] += s6[t]; //~ here
    }
    __syncthreads();
    out[g] = s6[t];
}
