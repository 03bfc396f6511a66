//--blockDim=128 --gridDim=4
// Reduction by tiles of cooperative groups; the block group's sync is the block barrier.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// cg::sync(cta) separates the store of the warp sums from their use.
//~ race-free
__global__ void reduce_tile_ok(const int *in, int *out)
{
    __shared__ int tile_sum[4];
    cg::thread_block cta = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
    int x = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) x += tile.shfl_down(x, d);
    if (tile.thread_rank() == 0) tile_sum[threadIdx.x / 32] = x;
    cg::sync(cta);
    if (threadIdx.x == 0) out[blockIdx.x] = tile_sum[0] + tile_sum[1] + tile_sum[2] + tile_sum[3];
}

// A tile's sync is a barrier of one warp only; thread 0 reads sums of three other warps.
//~ race
__global__ void reduce_tile_sync_bad(const int *in, int *out)
{
    __shared__ int tile_sum2[4];
    cg::thread_block cta = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
    int x = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) x += tile.shfl_down(x, d);
    if (tile.thread_rank() == 0) tile_sum2[threadIdx.x / 32] = x; //~ here
    tile.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = tile_sum2[0] + tile_sum2[1] + tile_sum2[2] + tile_sum2[3]; //~ here
}
