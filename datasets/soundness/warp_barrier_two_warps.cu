//--blockDim=64 --gridDim=1
// Row: a warp barrier does not separate two warps

// [warp-barrier] Lane t of warp 0 reads what warp 1 writes: __syncwarp orders one warp only.
//~ race
__global__ void warp_barrier_two_warps_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    __syncwarp();
    out[t] = s[t ^ 32]; //~ here
}

// A block barrier contains both threads.
//~ race-free
__global__ void warp_barrier_block_barrier_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    out[t] = s[t ^ 32];
}

// The partner is in the same warp, so the warp barrier is enough.
//~ race-free
__global__ void warp_barrier_same_warp_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    out[t] = s[t ^ 16];
}
