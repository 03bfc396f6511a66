//--blockDim=64 --gridDim=1
// Row: must not be flagged: write, barrier, mirrored read, barrier in a uniform loop

// Two barriers an iteration separate the write from the reads before and after it.
//~ race-free
__global__ void not_flagged_exchange_loop_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = t;
    for (int i = 0; i < n; i++) {
        s[t] = x + i;
        __syncthreads();
        x = s[63 - t];
        __syncthreads();
    }
    out[t] = x;
}

// [carried] Without the second barrier the next write meets the read.
//~ race
__global__ void not_flagged_exchange_loop_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = t;
    for (int i = 0; i < n; i++) {
        s[t] = x + i; //~ here
        __syncthreads();
        x = s[63 - t]; //~ here
    }
    out[t] = x;
}
