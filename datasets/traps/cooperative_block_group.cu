//--blockDim=64 --gridDim=1
// Trap: group barriers of cooperative groups
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// block.sync() is a block barrier.
//~ race-free
__global__ void group_block_sync_ok(int *out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank();
    s[t] = t;
    block.sync();
    out[t] = s[63 - t];
}

// [warp-barrier] A tile barrier orders its 32 threads only.
//~ race
__global__ void group_tile_sync_bad(int *out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    s[t] = t; //~ here
    tile.sync();
    out[t] = s[63 - t]; //~ here
}

// Partners within a tile of 16.
//~ race-free
__global__ void group_tile_sync_ok(int *out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int t = block.thread_rank();
    s[t] = t;
    tile.sync();
    out[t] = s[t ^ 15];
}

// [warp-barrier] The partner is in the neighbouring tile of the same warp.
//~ race
__global__ void group_small_tile_bad(int *out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int t = block.thread_rank();
    s[t] = t; //~ here
    tile.sync();
    out[t] = s[t ^ 16]; //~ here
}
