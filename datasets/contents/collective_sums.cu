//--blockDim=128 --gridDim=4
// Contents: sums that collective operations of the library give

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
namespace cg = cooperative_groups;

// Each flagged thread of the block has a place of its own.
//~ race-free
__global__ void block_scan_places_ok(const int *in, int *out)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, place;
    cub::BlockScan<int, 128>(storage).ExclusiveSum(keep, place);
    if (keep) out[base + place] = t;
}

// [scan] The inclusive sum of a thread without a flag is that of the flagged one below it.
//~ race
__global__ void block_scan_all_bad(const int *in, int *out)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, place;
    cub::BlockScan<int, 128>(storage).InclusiveSum(keep, place);
    out[base * 2 + place] = t; //~ here
}

// Both halves of a partition: the others go behind all that are kept, in order.
//~ race-free
__global__ void block_partition_ok(const int *in, int *out)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, before, all;
    cub::BlockScan<int, 128>(storage).ExclusiveSum(keep, before, all);
    int place = keep ? before : all + t - before;
    out[base + place] = in[base + t];
}

// [scan] The others go behind the kept ones of their own thread only.
//~ race
__global__ void block_partition_bad(const int *in, int *out)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, before, all;
    cub::BlockScan<int, 128>(storage).ExclusiveSum(keep, before, all);
    int place = keep ? before : 1 + t - before;
    out[base + place] = in[base + t]; //~ here
}

// Numbers: each thread fills as many elements as it has.
//~ race-free
__global__ void block_expand_ok(const int *in, int *out)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    int t = threadIdx.x;
    int count = in[blockIdx.x * 128 + t] & 3, first;
    cub::BlockScan<int, 128>(storage).ExclusiveSum(count, first);
    for (int i = 0; i < count; i++) out[blockIdx.x * 384 + first + i] = t;
}

// [extent] The blocks are too close.
//~ race
__global__ void block_expand_close_bad(const int *in, int *out)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    int t = threadIdx.x;
    int count = in[blockIdx.x * 128 + t] & 3, first;
    cub::BlockScan<int, 128>(storage).ExclusiveSum(count, first);
    for (int i = 0; i < count; i++) out[blockIdx.x * 256 + first + i] = t; //~ here
}

// Warps scan, each in a part of its own.
//~ race-free
__global__ void warp_scan_of_library_ok(const int *in, int *out)
{
    __shared__ cub::WarpScan<int>::TempStorage storage[4];
    int t = threadIdx.x, warp = t / 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, place;
    cub::WarpScan<int>(storage[warp]).ExclusiveSum(keep, place);
    if (keep) out[base + warp * 32 + place] = t;
}

// [scan] The parts of two warps are one.
//~ race
__global__ void warp_scan_of_library_bad(const int *in, int *out)
{
    __shared__ cub::WarpScan<int>::TempStorage storage[4];
    int t = threadIdx.x, warp = t / 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, place;
    cub::WarpScan<int>(storage[warp]).ExclusiveSum(keep, place);
    if (keep) out[base + warp / 2 * 64 + place] = t; //~ here
}

// A scan of a tile of cooperative groups.
//~ race-free
__global__ void tile_scan_ok(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int place = cg::exclusive_scan(tile, keep);
    if (keep) out[base + t / 16 * 16 + place] = t;
}

// [scan] A scan of tiles, the places of a warp.
//~ race
__global__ void tile_scan_bad(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int place = cg::exclusive_scan(tile, keep, cg::plus<int>());
    if (keep) out[base + t / 32 * 32 + place] = t; //~ here
}

// Shuffles of a tile of eight.
//~ race-free
__global__ void tile_shuffles_ok(const int *in, int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, sum = keep;
    for (int d = 1; d < 8; d *= 2) {
        int below = tile.shfl_up(sum, d);
        if (tile.thread_rank() >= d) sum += below;
    }
    if (keep) out[base + t / 8 * 8 + sum - 1] = t;
}

// [scan] The tile is larger than the steps reach.
//~ race
__global__ void tile_shuffles_bad(const int *in, int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, sum = keep;
    for (int d = 1; d < 8; d *= 2) {
        int below = tile.shfl_up(sum, d);
        if (tile.thread_rank() >= d) sum += below;
    }
    if (keep) out[base + t / 16 * 16 + sum - 1] = t; //~ here
}

// Sums of warps by a reduction, then those of the warps before from shared memory.
//~ race-free
__global__ void reduced_warps_ok(const int *in, int *out)
{
    __shared__ int total[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int all = __reduce_add_sync(0xffffffff, keep);
    unsigned votes = __ballot_sync(0xffffffff, keep);
    int rank = __popc(votes & ((1u << lane) - 1));
    if (lane == 0) total[warp] = all;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; w++) before += total[w];
    if (keep) out[blockIdx.x * 128 + warp * 32 + rank] = before;
}

// The sum of a tile decides for all of its lanes.
//~ race-free
__global__ void tile_sum_decides_ok(const int *in, int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[threadIdx.x] & 15;
    for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_xor(v, d);
    if (v > 100) {
        tile.sync();
        out[blockIdx.x * 128 + threadIdx.x] = v;
    }
}

// [butterfly] Steps downwards give the sum to the first lane.
//~ divergence
__global__ void tile_sum_first_bad(const int *in, int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[threadIdx.x] & 15;
    for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
    if (v > 100) {
        tile.sync(); //~ here
        out[blockIdx.x * 128 + threadIdx.x] = v;
    }
}

// The number of all that are kept is one for the block.
//~ race-free
__global__ void aggregate_decides_ok(const int *in, int *out)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, place, all;
    cub::BlockScan<int, 128>(storage).InclusiveSum(keep, place, all);
    if (all > 7) {
        __syncthreads();
        if (keep) out[base + place - 1] = t;
    }
}

// [scan] How many are kept up to a thread is not.
//~ divergence
__global__ void partial_decides_bad(const int *in, int *out)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, place, all;
    cub::BlockScan<int, 128>(storage).InclusiveSum(keep, place, all);
    if (place > 7) {
        __syncthreads(); //~ here
        if (keep) out[base + place - 1] = t;
    }
}

// One atomic operation for the block: its first thread draws room for all, and each takes its place in it.
//~ race-free
__global__ void block_room_ok(const int *in, int *out, int *count)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    __shared__ int first;
    int t = threadIdx.x;
    int keep = in[blockIdx.x * 128 + t] > 0, place, all;
    cub::BlockScan<int, 128>(storage).ExclusiveSum(keep, place, all);
    if (t == 0) first = blockIdx.x * 128;
    __syncthreads();
    if (keep) out[first + place] = t;
}

// [scan] One number is handed in and another decides.
//~ race
__global__ void other_flag_bad(const int *in, int *out)
{
    __shared__ cub::BlockScan<int, 128>::TempStorage storage;
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, place;
    cub::BlockScan<int, 128>(storage).ExclusiveSum(keep, place);
    if (in[base + t] >= 0) out[base + place] = t; //~ here
}
