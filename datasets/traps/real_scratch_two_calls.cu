//--blockDim=64 --gridDim=1
// Shape of real bugs: shared scratch reused by two calls of a helper

__device__ int sum_all_open(int v)
{
    __shared__ int scratch[64];
    int t = threadIdx.x;
    scratch[t] = v; //~ here
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) scratch[t] += scratch[t + k];
        __syncthreads();
    }
    return scratch[0]; //~ here
}

__device__ int sum_all_closed(int v)
{
    __shared__ int scratch[64];
    int t = threadIdx.x;
    __syncthreads();
    scratch[t] = v;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) scratch[t] += scratch[t + k];
        __syncthreads();
    }
    return scratch[0];
}

// [scratch-reuse] The second call stores while slow threads still read the first result.
//~ race
__global__ void real_scratch_two_calls_bad(const int *g, int *out)
{
    int t = threadIdx.x;
    int a = sum_all_open(g[t]);
    int b = sum_all_open(g[t] - a);
    out[t] = a + b;
}

// The helper begins with a barrier.
//~ race-free
__global__ void real_scratch_two_calls_ok(const int *g, int *out)
{
    int t = threadIdx.x;
    int a = sum_all_closed(g[t]);
    int b = sum_all_closed(g[t] - a);
    out[t] = a + b;
}

// The caller's barrier separates the calls.
//~ race-free
__global__ void real_scratch_caller_barrier_ok(const int *g, int *out)
{
    int t = threadIdx.x;
    int a = sum_all_open(g[t]);
    __syncthreads();
    int b = sum_all_open(g[t] - a);
    out[t] = a + b;
}
