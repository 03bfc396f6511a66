//--blockDim=64 --gridDim=1
// Warp barriers with constant masks: each orders the lanes that it names.

// Each half waits for its own.
//~ race-free
__global__ void mask_halves_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    s[t] = t;
    if (lane < 16) __syncwarp(0x0000ffff);
    else __syncwarp(0xffff0000);
    out[t] = s[t ^ 15];
}

// [mask] The partner is in the other half, whose barrier is another one.
//~ race
__global__ void mask_halves_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    s[t] = t; //~ here
    if (lane < 16) __syncwarp(0x0000ffff);
    else __syncwarp(0xffff0000);
    out[t] = s[t ^ 16]; //~ here
}

// Even lanes exchange with even lanes.
//~ race-free
__global__ void mask_even_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t % 2 == 0) {
        __syncwarp(0x55555555);
        out[t] = s[t ^ 2];
    }
}

// [mask] Even lanes read what odd lanes wrote.
//~ race
__global__ void mask_even_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (t % 2 == 0) {
        __syncwarp(0x55555555);
        out[t] = s[t ^ 3]; //~ here
    }
}

// Two barriers of overlapping masks: lanes 8 to 15 are in both, and wait for each half in turn.
//~ race-free
__global__ void mask_overlap_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    s[t] = t;
    if (lane < 16) __syncwarp(0x0000ffff);
    if (lane >= 8 && lane < 24) __syncwarp(0x00ffff00);
    if (lane < 8) out[t] = s[t + 8];
}

// [mask] Lanes 0 to 7 and 16 to 23 are never at one barrier.
//~ race
__global__ void mask_overlap_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    s[t] = t; //~ here
    if (lane < 16) __syncwarp(0x0000ffff);
    if (lane >= 8 && lane < 24) __syncwarp(0x00ffff00);
    if (lane < 8) out[t] = s[t + 16]; //~ here
}

// A mask of all lanes, written out.
//~ race-free
__global__ void mask_full_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp(~0u);
    out[t] = s[t ^ 31];
}

// [mask] One bit is missing: lane 31 waits for nobody.
//~ race
__global__ void mask_almost_full_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    s[t] = t; //~ here
    if (lane != 31) __syncwarp(0x7fffffff);
    out[t] = s[t ^ 31]; //~ here
}

// Only those that waited read.
//~ race-free
__global__ void mask_almost_full_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    if (lane != 31) {
        s[t] = t;
        __syncwarp(0x7fffffff);
        out[t] = lane < 30 ? s[t + 1] : 0;
    }
}

// The halves take turns in a loop.
//~ race-free
__global__ void mask_loop_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31, x = 0;
    if (lane < 16) {
        for (int i = 0; i < n; i++) {
            s[t] = i;
            __syncwarp(0x0000ffff);
            x += s[t ^ 1];
            __syncwarp(0x0000ffff);
        }
    }
    out[t] = x;
}

// [mask] Round the loop nothing orders the read and the next write.
//~ race
__global__ void mask_loop_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31, x = 0;
    if (lane < 16) {
        for (int i = 0; i < n; i++) {
            s[t] = i; //~ here
            __syncwarp(0x0000ffff);
            x += s[t ^ 1]; //~ here
        }
    }
    out[t] = x;
}
