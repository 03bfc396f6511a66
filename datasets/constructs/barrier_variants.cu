//--blockDim=64 --gridDim=1
// Construct: __syncthreads_count, __syncthreads_and, __syncthreads_or

// Each variant is a barrier for the whole block.
//~ race-free
__global__ void barrier_variants_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    s[t] = t;
    int c = __syncthreads_count(g[t] > 0);
    x += s[63 - t];
    int a = __syncthreads_and(g[t] > 0);
    s[t] = x;
    int o = __syncthreads_or(g[t] > 0);
    x += s[63 - t];
    out[t] = x + c + a + o;
}

// [divergence] A variant under a condition of the thread.
//~ divergence
__global__ void barrier_variants_bad(const int *g, int *out)
{
    int t = threadIdx.x, c = 0;
    if (g[t] > 0) c = __syncthreads_count(1); //~ here
    out[t] = c;
}

// The result is the same in all threads of the block, so a barrier may depend on it.
//~ race-free
__global__ void barrier_result_uniform_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (__syncthreads_or(g[t] > 0)) {
        s[t] += 1;
        __syncthreads();
    }
    out[t] = s[63 - t];
}

// [index] The count is the same in all threads: one element for all.
//~ race
__global__ void barrier_count_index_bad(const int *g, int *out)
{
    int t = threadIdx.x;
    out[__syncthreads_count(g[t] > 0)] = t; //~ here
}
