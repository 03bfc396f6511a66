//--blockDim=64 --gridDim=1
// Warps: operations that all lanes of a warp or a tile must come to
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <mma.h>
namespace cg = cooperative_groups;
using namespace nvcuda;

// [mask] Twenty lanes of each warp store a tile.
//~ divergence
__global__ void tile_stored_by_some_bad(float *out)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> tile;
    wmma::fill_fragment(tile, 1.0f);
    if (threadIdx.x % 32 < 20) wmma::store_matrix_sync(out + threadIdx.x / 32 * 256, tile, 16, wmma::mem_row_major); //~ here
}

// One warp does, the other does not.
//~ race-free
__global__ void tile_stored_by_warp_ok(float *out)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> tile;
    wmma::fill_fragment(tile, 1.0f);
    if (threadIdx.x / 32 == 1) wmma::store_matrix_sync(out, tile, 16, wmma::mem_row_major);
}

// [mask] Every second lane loads.
//~ divergence
__global__ void tile_loaded_by_some_bad(const half *in, int *out)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> tile;
    if (threadIdx.x & 1) wmma::load_matrix_sync(tile, in, 16); //~ here
    out[threadIdx.x] = 1;
}

// [mask] Every second lane multiplies.
//~ divergence
__global__ void tile_multiplied_by_some_bad(int *out)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    if (threadIdx.x & 1) wmma::mma_sync(c, a, b, c); //~ here
    out[threadIdx.x] = 1;
}

// Nobody waits where a fragment is filled.
//~ race-free
__global__ void tile_filled_by_some_ok(int *out)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    if (threadIdx.x & 1) wmma::fill_fragment(c, 0.0f);
    out[threadIdx.x] = 1;
}

// [mask] The same in assembly.
//~ divergence
__global__ void product_in_assembly_bad(unsigned *out)
{
    unsigned a = 1, b = 2, c = 0;
    if (threadIdx.x % 32 < 20) {
        asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %0}, {%1}, {%2}, {%0, %0};" : "+r"(c) : "r"(a), "r"(b)); //~ here
    }
    out[threadIdx.x] = c;
}

// By all.
//~ race-free
__global__ void product_in_assembly_ok(unsigned *out)
{
    unsigned a = 1, b = 2, c = 0;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %0}, {%1}, {%2}, {%0, %0};" : "+r"(c) : "r"(a), "r"(b));
    out[threadIdx.x] = c;
}

// [mask] What is not modelled otherwise is still for all lanes.
//~ divergence
__global__ void loaded_in_assembly_bad(unsigned *out)
{
    __shared__ unsigned s[64];
    unsigned address = __cvta_generic_to_shared(s), c = 0;
    if (threadIdx.x % 32 < 20) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(c) : "r"(address)); //~ here
    }
    out[threadIdx.x] = c;
}

// [mask] A scan of a tile of which some lanes are elsewhere.
//~ divergence
__global__ void scanned_by_some_bad(int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    if (threadIdx.x % 16 < 9) out[threadIdx.x] = cg::exclusive_scan(tile, 1); //~ here
}

// Of a whole tile.
//~ race-free
__global__ void scanned_by_tile_ok(int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    if (threadIdx.x < 16) out[threadIdx.x] = cg::inclusive_scan(tile, 1, cg::plus<int>());
}

// [mask] A reduction.
//~ divergence
__global__ void reduced_by_some_bad(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (threadIdx.x % 32 != 5) out[threadIdx.x] = cg::reduce(tile, 1, cg::plus<int>()); //~ here
}

// [mask] Who is in a tile is asked of all of them.
//~ divergence
__global__ void partitioned_by_some_bad(int *out)
{
    if (threadIdx.x % 32 < 20) {
        auto tile = cg::tiled_partition<32>(cg::this_thread_block()); //~ here
        out[threadIdx.x] = tile.thread_rank();
    }
}

// A tile that is there as a whole.
//~ race-free
__global__ void partitioned_by_tile_ok(int *out)
{
    if (threadIdx.x < 8) {
        auto tile = cg::tiled_partition<8>(cg::this_thread_block());
        out[threadIdx.x] = tile.thread_rank();
    }
}

// [mask] Of a tile all lanes take part.
//~ divergence
__global__ void partitioned_again_bad(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (threadIdx.x % 32 < 8) {
        auto tile = cg::tiled_partition<8>(warp); //~ here
        out[threadIdx.x] = tile.thread_rank();
    }
}

// [mask] By a condition on the lane.
//~ divergence
__global__ void halves_by_some_bad(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (threadIdx.x % 32 < 20) out[threadIdx.x] = cg::binary_partition(warp, threadIdx.x & 1).size(); //~ here
}

// [mask] By a label.
//~ divergence
__global__ void labelled_by_some_bad(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (threadIdx.x % 32 < 20) out[threadIdx.x] = cg::labeled_partition(warp, threadIdx.x & 3).size(); //~ here
}

// All lanes are labelled.
//~ race-free
__global__ void labelled_by_all_ok(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto own = cg::labeled_partition(warp, threadIdx.x & 3);
    out[threadIdx.x] = own.size();
}

// [mask] A copy by a tile of which some lanes are elsewhere.
//~ divergence
__global__ void copied_by_some_bad(const int *in, int *out)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (threadIdx.x % 32 < 20) cg::memcpy_async(tile, s + threadIdx.x / 32 * 32, in, 128); //~ here
    cg::wait(tile);
    out[threadIdx.x] = 1;
}

// [mask] A copy by the block that half of it comes to.
//~ divergence
__global__ void copied_by_half_bad(const int *in, int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    if (threadIdx.x < 32) cg::memcpy_async(block, s, in, 128); //~ here
    cg::wait(block);
    out[threadIdx.x] = 1;
}

// The whole block copies.
//~ race-free
__global__ void copied_by_block_ok(const int *in, int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, 256);
    cg::wait(block);
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// [mask] A group of lanes that were together, some of which have gone elsewhere.
//~ fn_divergence
__global__ void coalesced_left_bad(int *out)
{
    auto group = cg::coalesced_threads();
    if (threadIdx.x % 32 < 20) out[threadIdx.x] = group.shfl(1, 0);
}

// They are still together.
//~ race-free
__global__ void coalesced_together_ok(int *out)
{
    if (threadIdx.x % 32 < 20) {
        auto group = cg::coalesced_threads();
        out[threadIdx.x] = group.shfl(1, 0);
    }
}

// [mask] Sums of lanes.
//~ divergence
__global__ void summed_by_some_bad(int *out)
{
    if (threadIdx.x % 32 < 20) out[threadIdx.x] = __reduce_add_sync(0xffffffff, 1); //~ here
}

// The mask names those that come.
//~ race-free
__global__ void summed_by_some_ok(int *out)
{
    if (threadIdx.x % 32 < 20) out[threadIdx.x] = __reduce_add_sync(0xfffff, 1);
}

// [mask] Lanes with one value.
//~ divergence
__global__ void matched_by_some_bad(int *out)
{
    int all;
    if (threadIdx.x % 32 < 20) out[threadIdx.x] = __match_all_sync(0xffffffff, 1, &all); //~ here
}

// [mask] Lanes with this value.
//~ divergence
__global__ void grouped_by_some_bad(int *out)
{
    if (threadIdx.x % 32 < 20) out[threadIdx.x] = __match_any_sync(0xffffffff, threadIdx.x & 3); //~ here
}

// The mask names those that come.
//~ race-free
__global__ void grouped_by_some_ok(int *out)
{
    int all;
    if (threadIdx.x % 32 < 20) {
        out[threadIdx.x] = __match_any_sync(0xfffff, threadIdx.x & 3);
        out[threadIdx.x] += __match_all_sync(0xfffff, 1, &all);
    }
}
