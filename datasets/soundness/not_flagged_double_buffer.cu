//--blockDim=64 --gridDim=1
// Row: must not be flagged: the double buffer with one barrier per iteration

// Writes go to half p, reads come from half 1 - p, and p flips for all threads together.
//~ race-free
__global__ void not_flagged_double_buffer_ok(int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, p = 0;
    s[64 + t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s[p * 64 + t] = s[(1 - p) * 64 + (t + 1) % 64] + i;
        p = 1 - p;
        __syncthreads();
    }
    out[t] = s[(1 - p) * 64 + t];
}

// [double-buffer] p never flips, but the half that is read is also written.
//~ race
__global__ void not_flagged_double_buffer_same_half_bad(int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, p = 0;
    s[64 + t] = t;
    s[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s[p * 64 + t] = s[p * 64 + (t + 1) % 64] + i; //~ here
        p = 1 - p;
        __syncthreads();
    }
    out[t] = s[(1 - p) * 64 + t];
}

// [double-buffer] The barrier runs every other iteration only.
//~ race
__global__ void not_flagged_double_buffer_half_barrier_bad(int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, p = 0;
    s[64 + t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s[p * 64 + t] = s[(1 - p) * 64 + (t + 1) % 64] + i; //~ here
        p = 1 - p;
        if (p == 0) __syncthreads();
    }
    __syncthreads();
    out[t] = s[(1 - p) * 64 + t];
}
