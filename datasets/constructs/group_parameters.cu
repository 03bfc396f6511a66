//--blockDim=64 --gridDim=1
// A function that takes any group: which one it is given decides which threads its barrier brings together

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int neighbour(cg::thread_group g, int *x, int value)
{
    int lane = g.thread_rank();
    x[lane] = value; //~ here
    g.sync();
    return x[(lane + 1) % g.size()]; //~ here
}

// The whole block meets.
//~ race-free
__global__ void group_block_ok(int *out)
{
    __shared__ int work[64];
    cg::thread_block block = cg::this_thread_block();
    out[threadIdx.x] = neighbour(block, work, threadIdx.x);
}

// [missing-barrier] Twice: the second round writes what others may still read.
//~ race
__global__ void group_block_twice_bad(int *out)
{
    __shared__ int work[64];
    cg::thread_block block = cg::this_thread_block();
    int v = neighbour(block, work, threadIdx.x);
    out[threadIdx.x] = neighbour(block, work, v);
}

// Tiles of 32, each with its own part.
//~ race-free
__global__ void group_tile_ok(int *out)
{
    __shared__ int work[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int start = block.thread_rank() - tile.thread_rank();
    out[threadIdx.x] = neighbour(tile, work + start, threadIdx.x);
}

// [barrier-scope] The tile meets, and both tiles use the same part.
//~ race
__global__ void group_tile_bad(int *out)
{
    __shared__ int work[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    out[threadIdx.x] = neighbour(tile, work, threadIdx.x);
}

__device__ void meet(cg::thread_group g) { g.sync(); }
__device__ int meet(int i) { return i; }

// [barrier-scope] Only the lanes of a tile meet.
//~ race
__global__ void group_meet_tile_bad(int *out)
{
    __shared__ int work[64];
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    work[threadIdx.x] = threadIdx.x; //~ here
    meet(tile);
    out[threadIdx.x] = work[63 - threadIdx.x]; //~ here
}

//~ race-free
__global__ void group_meet_block_ok(int *out)
{
    __shared__ int work[64];
    work[threadIdx.x] = threadIdx.x;
    cg::thread_block block = cg::this_thread_block();
    meet(block);
    out[threadIdx.x] = work[63 - threadIdx.x];
}

// [barrier-scope] One of two groups, chosen by a condition: it may be the tile.
//~ race
__global__ void group_chosen_bad(int *out, int whole)
{
    __shared__ int work[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_group g = block;
    if (whole == 0) g = cg::tiled_partition(block, 32);
    work[threadIdx.x] = threadIdx.x; //~ here
    meet(g);
    out[threadIdx.x] = work[63 - threadIdx.x]; //~ here
}
