//--blockDim=64 --gridDim=1
// Tiles of a block: their barriers order the threads of a tile, and nobody else.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Tiles of sixteen exchange within the tile.
//~ race-free
__global__ void tile16_ok(int *out)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t;
    tile.sync();
    out[t] = s[t / 16 * 16 + 15 - tile.thread_rank()];
}

// [tile] The partner is in the next tile.
//~ race
__global__ void tile16_bad(int *out)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t; //~ here
    tile.sync();
    out[t] = s[t ^ 16]; //~ here
}

// Four threads and a barrier in a loop.
//~ race-free
__global__ void tile4_loop_ok(int *out, int n)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[t] = i;
        cg::sync(tile);
        x += s[t ^ 3];
        cg::sync(tile);
    }
    out[t] = x;
}

// [tile] One barrier is missing round the loop.
//~ race
__global__ void tile4_loop_bad(int *out, int n)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[t] = i; //~ here
        cg::sync(tile);
        x += s[t ^ 3]; //~ here
    }
    out[t] = x;
}

// A tile of a tile: the outer barrier orders the inner tiles.
//~ race-free
__global__ void tile_of_tile_ok(int *out)
{
    __shared__ int s[64];
    auto outer = cg::tiled_partition<32>(cg::this_thread_block());
    auto inner = cg::tiled_partition<8>(outer);
    int t = threadIdx.x;
    s[t] = t;
    outer.sync();
    int x = s[t ^ 31];
    inner.sync();
    out[t] = x;
}

// [tile] The inner tile's barrier does not order the outer tile.
//~ race
__global__ void tile_of_tile_bad(int *out)
{
    __shared__ int s[64];
    auto outer = cg::tiled_partition<32>(cg::this_thread_block());
    auto inner = cg::tiled_partition<8>(outer);
    int t = threadIdx.x;
    s[t] = t; //~ here
    inner.sync();
    out[t] = s[t ^ 8]; //~ here
}

// Two tiles in turn: what eight wrote, sixteen read.
//~ race-free
__global__ void tile_two_sizes_ok(int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    auto eight = cg::tiled_partition<8>(block);
    auto sixteen = cg::tiled_partition<16>(block);
    int t = threadIdx.x;
    s[t] = t;
    eight.sync();
    int x = s[t ^ 4];
    sixteen.sync();
    s[t ^ 8] = x;
}

// [tile] The small tile's barrier comes last.
//~ race
__global__ void tile_two_sizes_bad(int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    auto eight = cg::tiled_partition<8>(block);
    auto sixteen = cg::tiled_partition<16>(block);
    int t = threadIdx.x;
    s[t] = t;
    sixteen.sync();
    int x = s[t ^ 4]; //~ here
    eight.sync();
    s[t ^ 8] = x; //~ here
}

// [tile] One thread waits for nobody.
//~ race
__global__ void tile1_bad(int *out)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<1>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t; //~ here
    tile.sync();
    out[t] = s[t ^ 1]; //~ here
}

// Each has its own.
//~ race-free
__global__ void tile1_ok(int *out)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<1>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t;
    tile.sync();
    out[t] = s[t];
}

// [tile] Some threads of a tile come to its barrier.
//~ divergence
__global__ void tile_divergent_bad(int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    if (tile.thread_rank() < 4) tile.sync(); //~ here
    out[t] = t;
}

// Whole tiles come to it.
//~ race-free
__global__ void tile_divergent_ok(int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    if (tile.meta_group_rank() < 4) tile.sync();
    out[t] = t;
}

// The first of each tile writes what the vote of the tile says: one address for all.
//~ race-free
__global__ void tile_leader_ok(int *out)
{
    __shared__ int s[8];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    if (tile.thread_rank() == 0) s[tile.meta_group_rank()] = t;
    tile.sync();
    out[t] = s[tile.meta_group_rank()];
}

// [tile] All tiles share one element.
//~ race
__global__ void tile_leader_bad(int *out)
{
    __shared__ int s[8];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    if (tile.thread_rank() == 0) s[0] = t; //~ here
    tile.sync();
    out[t] = tile.any(t & 1);
}

// A value of lane 0 of the tile is one for the tile.
//~ race-free
__global__ void tile_shuffle_ok(const int *in, int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    if (t < 8) {
        int base = tile.shfl(in[t], 0);
        out[base + t] = t;
    }
}

// [tile] Between tiles it is not.
//~ race
__global__ void tile_shuffle_bad(const int *in, int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    int base = tile.shfl(in[t], 0);
    out[base + t] = t; //~ here
}

// [tile] A shuffle of the tile orders no memory.
//~ race
__global__ void tile_shuffle_memory_bad(int *out)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t; //~ here
    int v = tile.shfl_down(t, 1);
    out[t] = s[t ^ 1] + v; //~ here
}

// With the barrier of the tile it is ordered.
//~ race-free
__global__ void tile_shuffle_memory_ok(int *out)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t;
    int v = tile.shfl_down(t, 1);
    tile.sync();
    out[t] = s[t ^ 1] + v;
}
