//--blockDim=256 --gridDim=1
// Tiles of more threads than a warp has.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Two warps wait for each other.
//~ race-free
__global__ void tile64_ok(int *out)
{
    __shared__ int s[256];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t;
    tile.sync();
    out[t] = s[t ^ 63];
}

// [tile] The warps after them do not.
//~ race
__global__ void tile64_bad(int *out)
{
    __shared__ int s[256];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t; //~ here
    tile.sync();
    out[t] = s[t ^ 64]; //~ here
}

// A phase of warps within a phase of tiles.
//~ race-free
__global__ void tile128_phases_ok(int *out)
{
    __shared__ int s[256];
    auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    int x = s[t ^ 31];
    tile.sync();
    s[t ^ 64] = x;
}

// [tile] The warp's barrier does not order the tile.
//~ race
__global__ void tile128_phases_bad(int *out)
{
    __shared__ int s[256];
    auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t;
    tile.sync();
    int x = s[t ^ 31]; //~ here
    __syncwarp();
    s[t ^ 64] = x; //~ here
}

// [tile] Half of a tile comes to its barrier.
//~ divergence
__global__ void tile64_divergent_bad(int *out)
{
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    int t = threadIdx.x;
    if (t < 32) tile.sync(); //~ here
    out[t] = t;
}

// A whole tile does.
//~ race-free
__global__ void tile64_divergent_ok(int *out)
{
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    int t = threadIdx.x;
    if (t < 64) tile.sync();
    out[t] = t;
}
