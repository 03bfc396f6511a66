//--blockDim=[32,2] --gridDim=2
// Construct: cooperative groups that mean the block, a warp or the grid
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// The free functions are the members.
//~ race-free
__global__ void library_group_functions_ok(int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    int t = block.thread_rank();
    s[t] = t;
    cg::sync(block);
    out[blockIdx.x * block.size() + t] = s[63 - t];
}

// [missing barrier]
//~ race
__global__ void library_group_functions_bad(int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    int t = block.thread_rank();
    s[t] = t; //~ here
    out[blockIdx.x * block.size() + t] = s[63 - t]; //~ here
}

// A tile of 32 is a warp, in a block of two dimensions too.
//~ race-free
__global__ void library_tile_ok(int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    s[t] = t;
    tile.sync();
    out[blockIdx.x * 64 + t] = s[tile.meta_group_rank() * 32 + 31 - tile.thread_rank()];
}

// [warp-barrier] The next tile is another warp.
//~ race
__global__ void library_tile_bad(int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    s[t] = t; //~ here
    tile.sync();
    out[blockIdx.x * 64 + t] = s[t ^ 32]; //~ here
}

__device__ int reduced(cg::thread_block_tile<32> &tile, int v)
{
    return cg::reduce(tile, v, cg::plus<int>());
}

// A reduction gives a value; one thread stores it.
//~ race-free
__global__ void library_reduce_ok(const int *a, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int sum = reduced(tile, a[block.thread_rank()]);
    if (tile.thread_rank() == 0) out[blockIdx.x * 2 + tile.meta_group_rank()] = sum;
}

// [shuffle] It orders no memory.
//~ race
__global__ void library_reduce_bad(int *out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    s[t] = t; //~ here
    int sum = reduced(tile, t);
    out[blockIdx.x * 64 + t] = s[t ^ 1] + sum; //~ here
}

// Indices of the groups.
//~ race-free
__global__ void library_indices_ok(int *out)
{
    auto grid = cg::this_grid();
    auto block = cg::this_thread_block();
    dim3 b = block.group_index(), i = block.thread_index();
    out[grid.thread_rank()] = grid.size();
    out[grid.size() + (b.x * 2 + i.y) * 32 + i.x] = 1;
}

// [index] The index in the block is not enough for two blocks.
//~ race
__global__ void library_indices_bad(int *out)
{
    auto block = cg::this_thread_block();
    out[block.thread_rank()] = block.group_index().x; //~ here
}

// [divergence] Only one row comes to the barrier.
//~ divergence
__global__ void library_group_divergence_bad(int *out)
{
    auto block = cg::this_thread_block();
    if (block.thread_index().y == 0) block.sync(); //~ here
}

// Votes and shuffles of tiles of any size order nothing, and need not.
//~ race-free
__global__ void library_small_tile_ok(int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.y * 32 + threadIdx.x;
    int v = tile.shfl_xor(t, 1);
    if (tile.any(v > 3)) out[blockIdx.x * 64 + t] = v;
}

// A barrier of a small tile, behind which nobody reads.
//~ race-free
__global__ void library_small_tile_barrier(int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.y * 32 + threadIdx.x;
    out[blockIdx.x * 64 + t] = t;
    tile.sync();
}
