//--blockDim=64 --gridDim=1
// Extra: one a warp is not one a block

// [identity] Two warps, two leaders.
//~ race
__global__ void warp_leaders_bad()
{
    __shared__ int s[2];
    int t = threadIdx.x;
    if (t % 32 == 0) s[0] = t; //~ here
}

// One element a warp.
//~ race-free
__global__ void warp_leaders_ok()
{
    __shared__ int s[2];
    int t = threadIdx.x;
    if (t % 32 == 0) s[t / 32] = t;
}

// [warp-barrier] The mask leaves out the upper half, which reads without waiting.
//~ race
__global__ void partial_mask_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (t % 32 < 16) __syncwarp(0x0000ffffu);
    out[t] = s[t ^ 16]; //~ here
}

// Partners are in the same half, and each half has its barrier.
//~ race-free
__global__ void partial_mask_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t % 32 < 16) __syncwarp(0x0000ffffu);
    else __syncwarp(0xffff0000u);
    out[t] = s[t ^ 8];
}

// [warp-barrier] A warp barrier in a loop does not align the two warps' iterations.
//~ race
__global__ void warp_barrier_loop_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[t] = i; //~ here
        __syncwarp();
        x += s[(t + 1) & 63]; //~ here
        __syncwarp();
    }
    out[t] = x;
}

// The ring closes within the warp.
//~ race-free
__global__ void warp_barrier_loop_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[t] = i;
        __syncwarp();
        x += s[t / 32 * 32 + (t + 1) % 32];
        __syncwarp();
    }
    out[t] = x;
}
