// A warp for each row: rows counted by blocks and warps, elements by lanes, any number of both

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// [constructs] Eight warps in a block, the lanes of one go along its row.
//~ race-free
__global__ void warp_rows_ok(const int *in, int *out, int rows, int width)
{
    int row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows) return;
    int *mine = out + row * width;
    for (int c = threadIdx.x % 32; c < width; c += 32)
        mine[c] = in[c] * threadIdx.x;
}

// [constructs] Blocks have eight warps and count on by four: two warps have one row.
//~ race
__global__ void warp_rows_bad(const int *in, int *out, int rows, int width)
{
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    if (row >= rows) return;
    int *mine = out + row * width;
    for (int c = threadIdx.x % 32; c < width; c += 32)
        mine[c] = in[c] * threadIdx.x * blockIdx.x; //~ here
}

// [constructs] The first lane writes what the warp found.
//~ race-free
__global__ void warp_sums_ok(const int *in, int *sums, int rows, int width)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows) return;
    if (warp.thread_rank() == 0)
        sums[row] = in[threadIdx.x];
}

// [constructs] Two lanes of each warp write it.
//~ race
__global__ void warp_sums_bad(const int *in, int *sums, int rows, int width)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows) return;
    if ((warp.thread_rank() & 15) == 0)
        sums[row] = in[threadIdx.x]; //~ here
}

// [constructs] Masks in place of quotients: a row of the grid, shifted.
//~ race-free
__global__ void warp_shifts_ok(const int *in, int *out, int rows, int width)
{
    int lane = threadIdx.x & 31;
    int row = (blockIdx.x << 3) + (threadIdx.x >> 5);
    if (row < rows)
        for (int c = lane; c < width; c += 32)
            out[row * width + c] = in[c] * threadIdx.x;
}

// [constructs] One lane too many in a step: the next row's first element is this one's last.
//~ race
__global__ void warp_shifts_bad(const int *in, int *out, int rows, int width)
{
    int lane = threadIdx.x & 31;
    int row = (blockIdx.x << 3) + (threadIdx.x >> 5);
    if (row < rows)
        for (int c = lane; c <= width; c += 32)
            out[row * width + c] = in[c] * threadIdx.x; //~ here
}

void warp_rows(const int *in, int *out, int *sums, int rows, int width)
{
    const int block = 256;
    const int grid = (rows * 32 + block - 1) / block;
    warp_rows_ok<<<grid, block>>>(in, out, rows, width);
    warp_rows_bad<<<grid, block>>>(in, out, rows, width);
    warp_sums_ok<<<grid, block>>>(in, sums, rows, width);
    warp_sums_bad<<<grid, block>>>(in, sums, rows, width);
    warp_shifts_ok<<<grid, block>>>(in, out, rows, width);
    warp_shifts_bad<<<grid, block>>>(in, out, rows, width);
}
