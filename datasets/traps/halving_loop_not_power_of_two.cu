//--blockDim=96 --gridDim=1
// Trap: *= 2 and /= 2 loops that do not start at a power of two

// [not-power-of-two] k is 96, 48, 24, 12, 6, 3: for k = 3 the guard admits thread 1, which writes the s[1] that thread 0 reads.
//~ race
__global__ void halving_rounds_up_bad(int *g)
{
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (int k = 96; k > 1; k /= 2) {
        if (t < (k + 1) / 2) s[t] += s[t + k / 2]; //~ here
        __syncthreads();
    }
    g[t] = s[t];
}

// Rounding down on both sides keeps writers below readers.
//~ race-free
__global__ void halving_rounds_down_ok(int *g)
{
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (int k = 96; k > 1; k /= 2) {
        if (t < k / 2) s[t] += s[t + k / 2];
        __syncthreads();
    }
    g[t] = s[t];
}

// The rounding guard is harmless when every k is a power of two.
//~ race-free
__global__ void halving_rounds_up_from_64_ok(int *g)
{
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (int k = 64; k > 1; k /= 2) {
        if (t < (k + 1) / 2) s[t] += s[t + k / 2];
        __syncthreads();
    }
    g[t] = s[t];
}
