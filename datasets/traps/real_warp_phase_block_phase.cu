//--blockDim=64 --gridDim=1
// Shape of real bugs: no block barrier between a warp phase and a block phase

// [warp-barrier] Each warp writes its partial result, then warp 0 reads those of all warps.
//~ race
__global__ void real_warp_then_block_bad(const int *g, int *out)
{
    __shared__ int part[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = g[t];
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffffu, v, k);
    if (lane == 0) part[warp] = v; //~ here
    __syncwarp();
    if (t == 0) out[0] = part[0] + part[1]; //~ here
}

// A block barrier between the phases.
//~ race-free
__global__ void real_warp_then_block_ok(const int *g, int *out)
{
    __shared__ int part[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = g[t];
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffffu, v, k);
    if (lane == 0) part[warp] = v;
    __syncthreads();
    if (t == 0) out[0] = part[0] + part[1];
}

// [warp-barrier] Warp 0 clears the row of every warp, and warp 1 stores into its row at once.
//~ race
__global__ void real_init_by_one_warp_bad(const int *g, int *out)
{
    __shared__ int row[64];
    int t = threadIdx.x;
    if (t < 32) {
        row[t] = 0;
        row[32 + t] = 0; //~ here
    }
    __syncwarp();
    atomicAdd(&row[t / 32 * 32 + (g[t] & 31)], 1); //~ here
    __syncthreads();
    out[t] = row[t];
}

// Each warp clears its own row.
//~ race-free
__global__ void real_init_by_own_warp_ok(const int *g, int *out)
{
    __shared__ int row[64];
    int t = threadIdx.x;
    row[t] = 0;
    __syncwarp();
    atomicAdd(&row[t / 32 * 32 + (g[t] & 31)], 1);
    __syncthreads();
    out[t] = row[t];
}
