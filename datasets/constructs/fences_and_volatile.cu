//--blockDim=64 --gridDim=1
// Construct: fences and volatile order nobody else's accesses

// [fence] A fence is not a barrier.
//~ race
__global__ void fence_block_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    __threadfence_block();
    out[t] = s[63 - t]; //~ here
}

// [fence] volatile forces the accesses, and does not wait.
//~ race
__global__ void volatile_array_bad(int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    out[t] = s[63 - t]; //~ here
}

// A barrier beside the fence.
//~ race-free
__global__ void fence_and_barrier_ok(int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __threadfence_block();
    __syncthreads();
    out[t] = s[63 - t];
}
