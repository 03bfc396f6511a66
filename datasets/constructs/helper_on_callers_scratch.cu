//--blockDim=64 --gridDim=1
// Construct: a helper called twice on the same scratch array of its caller

__device__ int exchange(int *scratch, int v)
{
    int t = threadIdx.x;
    scratch[t] = v; //~ here
    __syncthreads();
    return scratch[63 - t]; //~ here
}

__device__ int exchange_lower(int *scratch, int v)
{
    int t = threadIdx.x;
    scratch[t] = v;
    __syncthreads(); //~ here
    return scratch[31 - t];
}

// [scratch-reuse] Both calls use one array.
//~ race
__global__ void helper_on_callers_scratch_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int a = exchange(s, t);
    int b = exchange(s, a + t);
    out[t] = b;
}

// Each call has an array of its own.
//~ race-free
__global__ void helper_on_callers_scratch_ok(int *out)
{
    __shared__ int s[64], r[64];
    int t = threadIdx.x;
    int a = exchange(s, t);
    int b = exchange(r, a + t);
    out[t] = b;
}

// Two arrays in turn, used three times: the barrier of the second call separates the first from the third.
//~ race-free
__global__ void helper_three_calls_ok(int *out)
{
    __shared__ int s[64], r[64];
    int t = threadIdx.x;
    int a = exchange(s, t);
    int b = exchange(r, a + t);
    int c = exchange(s, b + t);
    out[t] = c;
}

// [divergence] Half of the block calls the helper with its barrier.
//~ divergence
__global__ void helper_under_condition_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, v = 0;
    if (t < 32) v = exchange_lower(s, t);
    out[t] = v;
}
