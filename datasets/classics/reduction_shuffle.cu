//--blockDim=256 --gridDim=4
// Reduction by warp shuffles: registers travel inside a warp, one shared element per warp.

// Shuffles touch no memory; the partial sums are written by lane 0 of each warp to an element of
// its own and read by warp 0 after a block barrier.
//~ race-free
__global__ void reduce_shuffle_ok(const float *in, float *out)
{
    __shared__ float partial[8];
    unsigned int lane = threadIdx.x % 32;
    unsigned int warp = threadIdx.x / 32;
    float x = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) x += __shfl_down_sync(0xffffffffu, x, d);
    if (lane == 0) partial[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = 0.0f;
        if (lane < 8) x = partial[lane];
        for (int d = 4; d > 0; d >>= 1) x += __shfl_down_sync(0xffffffffu, x, d);
        if (lane == 0) out[blockIdx.x] = x;
    }
}

// No barrier between the warp phase and the block phase: warp 0 reads sums that other warps have
// not stored yet. The shuffles of warp 0 order no memory of other warps.
//~ race
__global__ void reduce_shuffle_phase_bad(const float *in, float *out)
{
    __shared__ float partial2[8];
    unsigned int lane = threadIdx.x % 32;
    unsigned int warp = threadIdx.x / 32;
    float x = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) x += __shfl_down_sync(0xffffffffu, x, d);
    if (lane == 0) partial2[warp] = x; //~ here
    if (warp == 0) {
        x = 0.0f;
        if (lane < 8) x = partial2[lane]; //~ here
        for (int d = 4; d > 0; d >>= 1) x += __shfl_down_sync(0xffffffffu, x, d);
        if (lane == 0) out[blockIdx.x] = x;
    }
}

// A shuffle brings lanes together but is not a memory barrier: the exchange through shared memory
// around it stays unordered.
//~ race
__global__ void reduce_shuffle_as_barrier_bad(const float *in, float *out)
{
    __shared__ float cell[256];
    unsigned int tid = threadIdx.x;
    float x = in[blockIdx.x * blockDim.x + tid];
    cell[tid] = x; //~ here
    x += __shfl_down_sync(0xffffffffu, x, 16);
    out[blockIdx.x * blockDim.x + tid] = x + cell[tid ^ 1]; //~ here
}
