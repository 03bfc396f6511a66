//--blockDim=64 --gridDim=1
// Trap: false alarm on an early return in a callee

__device__ void store_first_half(int *s, int v)
{
    if (threadIdx.x >= 32) return;
    s[threadIdx.x] = v;
}

__device__ void wait_first_half()
{
    if (threadIdx.x >= 32) return;
    __syncthreads(); //~ here
}

// The return ends the callee only: all threads reach the barrier, and half of s is written.
//~ race-free
__global__ void callee_early_return_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    store_first_half(s, t);
    __syncthreads();
    out[t] = s[63 - t];
}

// [missing-barrier] The guard of the callee ends with it: here the threads of both halves run on.
//~ race
__global__ void callee_early_return_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    store_first_half(s, t);
    __syncthreads();
    out[t] = s[t & 31]; //~ here
    if (t >= 32) s[t - 32] = t; //~ here
}

// [divergence] Threads 32 to 63 leave the callee before its barrier.
//~ divergence
__global__ void callee_barrier_skipped_bad()
{
    wait_first_half();
}
