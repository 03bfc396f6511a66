//--blockDim=128 --gridDim=4
// One thread of a tile calls a function: which one is for the device to say, and no memory is ordered.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The tile waits before it reads.
//~ race-free
__global__ void chosen_ok(const int *in, int *out)
{
    __shared__ int first[4];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int w = warp.meta_group_rank();
    cg::invoke_one(warp, [&] { first[w] = in[blockIdx.x * 4 + w]; });
    warp.sync();
    out[blockIdx.x * 128 + threadIdx.x] = first[w];
}

// [warp] It does not.
//~ race
__global__ void chosen_bad(const int *in, int *out)
{
    __shared__ int first[4];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int w = warp.meta_group_rank();
    cg::invoke_one(warp, [&] { first[w] = in[blockIdx.x * 4 + w]; }); //~ here
    out[blockIdx.x * 128 + threadIdx.x] = first[w]; //~ here
}

// [tile] One of each tile of 8 writes, and there are four tiles in a warp.
//~ race
__global__ void chosen_of_each_bad(const int *in, int *out)
{
    __shared__ int first[4];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int w = threadIdx.x / 32, rank = tile.meta_group_rank();
    cg::invoke_one(tile, [&] { first[w] = in[blockIdx.x * 16 + rank]; }); //~ here
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = first[w];
}

// Each has a place of its own.
//~ race-free
__global__ void chosen_of_each_ok(const int *in, int *out)
{
    __shared__ int first[16];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int rank = tile.meta_group_rank();
    cg::invoke_one(tile, [&] { first[rank] = in[blockIdx.x * 16 + rank]; });
    tile.sync();
    out[blockIdx.x * 128 + threadIdx.x] = first[rank];
}
