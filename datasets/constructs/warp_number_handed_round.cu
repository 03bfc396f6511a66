//--blockDim=128 --gridDim=4
// `__shfl_sync(m, threadIdx.x / 32, 0)`: the number of the warp, which the compiler is to know as one for its lanes.

// Each warp has a cell of its own, and its lanes come to the barrier of the warp together.
//~ race-free
__global__ void handed_warp_ok(int *out)
{
    int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
    if (threadIdx.x % 32 == 0) out[blockIdx.x * 4 + warp] = 1;
}

// [index] All lanes of a warp write its cell.
//~ race
__global__ void handed_warp_bad(int *out)
{
    int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
    out[blockIdx.x * 4 + warp] = threadIdx.x; //~ here
}

// A barrier that only the first warp passes is one of threads that agree, warp by warp.
//~ race-free
__global__ void handed_shift_ok(int *out)
{
    __shared__ int cell[4];
    int warp = __shfl_sync(0xffffffff, threadIdx.x >> 5, 0);
    if (warp == 0) {
        if (threadIdx.x < 4) cell[threadIdx.x] = 0;
        __syncwarp();
        if (threadIdx.x < 4) out[blockIdx.x * 4 + threadIdx.x] = cell[3 - threadIdx.x];
    }
}

// [index] Half a warp is not one number for the warp: the lanes 16 to 31 get 0 too.
//~ race
__global__ void handed_half_bad(int *out)
{
    int half = __shfl_sync(0xffffffff, threadIdx.x / 16, 0);
    if (threadIdx.x % 16 == 0) out[blockIdx.x * 8 + half] = threadIdx.x; //~ here
}

// [divergence] Not all warps of the block come to the barrier.
//~ divergence
__global__ void handed_barrier_bad(int *out)
{
    int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
    if (warp < 2) {
        __syncthreads(); //~ here
    }
    out[blockIdx.x * 128 + threadIdx.x] = 1;
}
