//--blockDim=64 --gridDim=1 --warp-sync=32
// Trap: false alarm on warp-synchronous code under lock-step

// In lock-step all lanes read before any lane writes.
//~ race-free
__global__ void lockstep_tail_ok(int *g)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
    }
    __syncthreads();
    if (t == 0) g[0] = s[0];
}

// [warp-synchronous] Lock-step holds within a warp: with t < 48 lanes of two warps take part.
//~ race
__global__ void lockstep_two_warps_bad(int *g)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    if (t < 48) {
        s[t] += s[t + 16]; //~ here
    }
    __syncthreads();
    if (t == 0) g[0] = s[0];
}
