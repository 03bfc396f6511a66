//--blockDim=128 --gridDim=1
// More groups than four in one kernel: which of them two threads share is counted.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Tiles of five sizes, the largest last.
//~ race-free
__global__ void groups_tiles_ok(int *out)
{
    __shared__ int s[128];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    s[t] = t;
    cg::tiled_partition<2>(block).sync();
    cg::tiled_partition<4>(block).sync();
    cg::tiled_partition<8>(block).sync();
    cg::tiled_partition<16>(block).sync();
    cg::tiled_partition<64>(block).sync();
    out[t] = s[t ^ 32];
}

// [tile] The partner is in the next tile of the largest size.
//~ race
__global__ void groups_tiles_bad(int *out)
{
    __shared__ int s[128];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    s[t] = t; //~ here
    cg::tiled_partition<2>(block).sync();
    cg::tiled_partition<4>(block).sync();
    cg::tiled_partition<8>(block).sync();
    cg::tiled_partition<16>(block).sync();
    cg::tiled_partition<64>(block).sync();
    out[t] = s[t ^ 64]; //~ here
}

// Masks of quarters, then of halves of a warp: six groups.
//~ race-free
__global__ void groups_masks_ok(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x, lane = t & 31;
    s[t] = t;
    if (lane < 8) __syncwarp(0x000000ff);
    else if (lane < 16) __syncwarp(0x0000ff00);
    else if (lane < 24) __syncwarp(0x00ff0000);
    else __syncwarp(0xff000000);
    int x = s[t ^ 7];
    if (lane < 16) __syncwarp(0x0000ffff);
    else __syncwarp(0xffff0000);
    s[t ^ 8] = x;
}

// [mask] The last exchange is between the halves.
//~ race
__global__ void groups_masks_bad(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x, lane = t & 31;
    s[t] = t; //~ here
    if (lane < 8) __syncwarp(0x000000ff);
    else if (lane < 16) __syncwarp(0x0000ff00);
    else if (lane < 24) __syncwarp(0x00ff0000);
    else __syncwarp(0xff000000);
    int x = s[t ^ 7]; //~ here
    if (lane < 16) __syncwarp(0x0000ffff);
    else __syncwarp(0xffff0000);
    s[t ^ 16] = x; //~ here
}
