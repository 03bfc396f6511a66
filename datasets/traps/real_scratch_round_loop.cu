//--blockDim=64 --gridDim=1
// Shape of real bugs: shared scratch reused round a loop

// [scratch-reuse] All threads read s[0] as the result; the next iteration's store into s meets that read.
//~ race
__global__ void real_scratch_round_loop_bad(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = g[i * 64 + t]; //~ here
        __syncthreads();
        for (int k = 32; k > 0; k /= 2) {
            if (t < k) s[t] += s[t + k];
            __syncthreads();
        }
        out[i * 64 + t] = g[i * 64 + t] - s[0]; //~ here
    }
}

// A barrier behind the use of the result.
//~ race-free
__global__ void real_scratch_round_loop_ok(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = g[i * 64 + t];
        __syncthreads();
        for (int k = 32; k > 0; k /= 2) {
            if (t < k) s[t] += s[t + k];
            __syncthreads();
        }
        out[i * 64 + t] = g[i * 64 + t] - s[0];
        __syncthreads();
    }
}

// Only thread 0 uses the result, and only thread 0 stores into s[0]: no second barrier is needed.
//~ race-free
__global__ void real_scratch_owner_reads_ok(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = g[i * 64 + t];
        __syncthreads();
        for (int k = 32; k > 0; k /= 2) {
            if (t < k) s[t] += s[t + k];
            __syncthreads();
        }
        if (t == 0) out[i] = s[0];
    }
}
