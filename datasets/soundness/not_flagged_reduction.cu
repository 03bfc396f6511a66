// Row: must not be flagged: reductions with if (t < k) and barriers

// Within an iteration writers stay below k and readers read at k and above.
//~ race-free
__global__ void not_flagged_reduction_ok(const int *g, int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x, b = blockIdx.x;
    s[t] = g[b * blockDim.x + t];
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[b] = s[0];
}

// [carried] No barrier in the loop: iteration 1 of one thread meets iteration 0 of another.
//~ race
__global__ void not_flagged_reduction_bad(const int *g, int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x, b = blockIdx.x;
    s[t] = g[b * blockDim.x + t];
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k]; //~ here
    }
    if (t == 0) out[b] = s[0];
}

// [guard] The guard lets thread k write s[k], which thread 0 reads.
//~ race
__global__ void not_flagged_reduction_guard_bad(const int *g, int *out)
{
    __shared__ int s[2048];
    int t = threadIdx.x, b = blockIdx.x;
    s[t] = g[b * blockDim.x + t];
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t <= k) s[t] += s[t + k]; //~ here
        __syncthreads();
    }
    if (t == 0) out[b] = s[0];
}
