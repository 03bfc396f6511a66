//--blockDim=64 --gridDim=1
// Trap: warp-synchronous code, judged with independent threads

// [warp-synchronous] Lane t reads s[t+16] while lane t+16 writes it; volatile only forces the accesses.
//~ race
__global__ void warp_synchronous_tail_bad(int *g)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32]; //~ here
        s[t] += s[t + 16]; //~ here
        s[t] += s[t + 8]; //~ here
    }
    __syncthreads();
    if (t == 0) g[0] = s[0];
}

// A warp barrier between every read and the next write.
//~ race-free
__global__ void warp_synchronous_tail_ok(int *g)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    if (t < 32) {
        int v = s[t] + s[t + 32];
        s[t] = v;
        __syncwarp();
        v += s[t + 16];
        __syncwarp();
        s[t] = v;
        __syncwarp();
        v += s[t + 8];
        __syncwarp();
        s[t] = v;
    }
    __syncthreads();
    if (t == 0) g[0] = s[0];
}
