//--blockDim=64 --gridDim=2
// Extra: copies by groups that meet copies by other groups, and tiles of tiles
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;

// [copy] Both warps of a block fill the same bytes, from different rows.
//~ race
__global__ void one_row_for_warps_bad(const int *in)
{
    __shared__ int s[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::memcpy_async(warp, s, in + 64 * (threadIdx.x / 32), 128); //~ here
    cg::wait(warp);
}

// The same bytes from the same place: what is left is the same.
//~ race-free
__global__ void one_source_ok(const int *in)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in + 64 * blockIdx.x, 256);
    cg::wait(block);
}

//~ race-free
__global__ void row_for_each_warp_ok(const int *in, int *out)
{
    __shared__ int s[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int *row = s + 32 * (threadIdx.x / 32);
    cg::memcpy_async(warp, row, in + 64 * (threadIdx.x / 32), 128);
    cg::wait(warp);
    out[blockIdx.x * 64 + threadIdx.x] = row[31 - threadIdx.x % 32];
}

// [pitch] Rows begin 16 elements after one another, and are 32 long.
//~ race
__global__ void pitch_bad(const int *in)
{
    __shared__ int s[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::memcpy_async(warp, s + 16 * (threadIdx.x / 32), in + 64 * (threadIdx.x / 32), 128); //~ here
    cg::wait(warp);
}

// [copy] Every block leaves its own bytes in one place.
//~ race
__global__ void blocks_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = blockIdx.x;
    __syncthreads();
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, out, s, 256); //~ here
    cg::wait(block);
}

//~ race-free
__global__ void blocks_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = blockIdx.x;
    __syncthreads();
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, out + 64 * blockIdx.x, s, 256);
    cg::wait(block);
}

// [copy] The second copy begins while the first is under way, and half of it goes to the same bytes.
//~ race
__global__ void two_under_way_bad(const int *in)
{
    __shared__ int s[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, 256);           //~ here
    cg::memcpy_async(block, s + 32, in + 64, 256); //~ here
    cg::wait(block);
}

//~ race-free
__global__ void two_in_turn_ok(const int *in)
{
    __shared__ int s[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, 256);
    cg::wait(block);
    cg::memcpy_async(block, s + 32, in + 64, 256);
    cg::wait(block);
}

// [copy] One wait for all rounds.
//~ race
__global__ void rounds_bad(const int *in)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    for (int i = 0; i < 2; i++)
        cg::memcpy_async(block, s, in + 64 * i, 256); //~ here
    cg::wait(block);
}

// [copy] The same with an object that is signalled.
//~ race
__global__ void signalled_bad(const int *in)
{
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> done;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (threadIdx.x == 0) init(&done, 64);
    __syncthreads();
    cuda::memcpy_async(warp, s, in + threadIdx.x / 32 * 7, 128, done); //~ here
    done.arrive_and_wait();
}

// [tile] A tile is counted in the tile that it is a part of: there are as many of each number as there are warps.
//~ race
__global__ void part_of_warp_bad(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto part = cg::tiled_partition<4>(warp);
    if (part.thread_rank() == 0) out[16 * blockIdx.x + part.meta_group_rank()] = threadIdx.x; //~ here
}

//~ race-free
__global__ void part_of_warp_ok(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto part = cg::tiled_partition<4>(warp);
    int at = warp.meta_group_rank() * part.meta_group_size() + part.meta_group_rank();
    if (part.thread_rank() == 0) out[16 * blockIdx.x + at] = threadIdx.x;
}

// Three times over, with the types written out.
//~ race-free
__global__ void part_of_part_ok(int *out)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::thread_block_tile<16, cg::thread_block_tile<32>> half = cg::tiled_partition<16>(warp);
    auto part = cg::tiled_partition<4>(half);
    if (part.meta_group_rank() >= 4) out[0] = threadIdx.x;
    if (part.thread_rank() == 0 && half.meta_group_rank() == 1)
        out[16 * blockIdx.x + warp.meta_group_rank() * 4 + part.meta_group_rank()] = threadIdx.x;
}

template <typename Tile>
__device__ unsigned number_of(const Tile &tile) { return tile.meta_group_rank(); }

// [tile] Handed on, it is the same tile.
//~ race
__global__ void part_handed_on_bad(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto part = cg::tiled_partition<8>(warp);
    if (part.thread_rank() == 0) out[16 * blockIdx.x + number_of(part)] = threadIdx.x; //~ here
}
