// Fragments whose layout is told by another name, by a template argument, or by a condition.
#include <cuda_fp16.h>
#include <mma.h>
#include <type_traits>
using namespace nvcuda;

using by_rows = wmma::row_major;

// The tile lies in rows of 32 elements, of which 16 are its own; another warp stores the others.
//~ race-free
__global__ void layout_named_ok(half *out)
{
    __shared__ half tile[16 * 32];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, by_rows> part;
    for (int i = threadIdx.x; i < 16 * 32; i += 64) tile[i] = out[i];
    __syncthreads();
    if (threadIdx.x < 32) {
        wmma::load_matrix_sync(part, tile, 32);
    } else {
        for (int row = 0; row < 16; row++)
            if (threadIdx.x < 48) tile[row * 32 + 16 + threadIdx.x - 32] = __float2half(0.0f);
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

// [index] The other warp stores what is in the tile.
//~ race
__global__ void layout_named_bad(half *out)
{
    __shared__ half tile[16 * 32];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, by_rows> part;
    for (int i = threadIdx.x; i < 16 * 32; i += 64) tile[i] = out[i];
    __syncthreads();
    if (threadIdx.x < 32) {
        wmma::load_matrix_sync(part, tile, 32); //~ here
    } else {
        for (int row = 0; row < 16; row++)
            if (threadIdx.x < 48) tile[row * 32 + threadIdx.x - 32] = __float2half(0.0f); //~ here
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

// What the host launches with decides how the tile lies.
//~ race-free
template <typename Layout> __global__ void layout_given_ok(half *out)
{
    __shared__ half tile[256];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, Layout> part;
    for (int i = threadIdx.x; i < 256; i += 32) tile[i] = out[i];
    __syncthreads();
    wmma::load_matrix_sync(part, tile, 16);
    __syncthreads();
    tile[threadIdx.x] = __float2half(1.0f);
}

// [barrier] The tile is stored while other lanes may still load it.
//~ race
template <bool backwards> __global__ void layout_chosen_bad(half *out)
{
    __shared__ half tile[256];
    using layout = std::conditional_t<backwards, wmma::row_major, wmma::col_major>;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, layout> part;
    for (int i = threadIdx.x; i < 256; i += 32) tile[i] = out[i];
    __syncthreads();
    wmma::load_matrix_sync(part, tile, 16); //~ here
    tile[threadIdx.x] = __float2half(1.0f); //~ here
}

// Columns: the tile goes along 16 columns of 32 elements, of which the upper halves are not its own.
//~ race-free
template <bool backwards> __global__ void layout_columns_ok(half *out)
{
    __shared__ half tile[16 * 32];
    using layout = std::conditional_t<backwards, wmma::row_major, wmma::col_major>;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, layout> part;
    for (int i = threadIdx.x; i < 16 * 32; i += 64) tile[i] = out[i];
    __syncthreads();
    if (threadIdx.x < 32) {
        wmma::load_matrix_sync(part, tile, 32);
    } else {
        for (int column = 0; column < 16; column++)
            if (threadIdx.x < 48) tile[column * 32 + threadIdx.x - 16] = __float2half(0.0f);
    }
}

void launch(half *out)
{
    layout_named_ok<<<1, 64>>>(out);
    layout_named_bad<<<1, 64>>>(out);
    layout_given_ok<wmma::row_major><<<1, 32>>>(out);
    layout_given_ok<wmma::col_major><<<1, 32>>>(out);
    layout_chosen_bad<true><<<1, 32>>>(out);
    layout_chosen_bad<false><<<1, 32>>>(out);
    layout_columns_ok<false><<<1, 64>>>(out);
}
