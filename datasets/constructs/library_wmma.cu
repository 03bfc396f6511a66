//--blockDim=64 --gridDim=2
// Construct: tiles of tensor cores, loaded and stored by a warp
#include <mma.h>
using namespace nvcuda;

// Each warp its own tile.
//~ race-free
__global__ void wmma_tiles_ok(const half *a, const half *b, float *c)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int k = 0; k < 64; k += 16) {
        wmma::load_matrix_sync(fa, a + k, 64);
        wmma::load_matrix_sync(fb, b + k, 64);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + warp * 256, fc, 16, wmma::mem_row_major);
}

// [index] The tiles of two warps overlap by a row.
//~ race
__global__ void wmma_tiles_bad(float *c)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::store_matrix_sync(c + warp * 240, fc, 16, wmma::mem_row_major); //~ here
}

// Staged through shared memory, with a barrier.
//~ race-free
__global__ void wmma_staged_ok(const half *a, float *out)
{
    __shared__ half tile[256];
    for (int i = threadIdx.x; i < 256; i += 64) tile[i] = a[i];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::load_matrix_sync(fa, tile, 16);
    out[blockIdx.x * 64 + threadIdx.x] = fa.x[0];
}

// [missing barrier] Loaded while others still fill it.
//~ race
__global__ void wmma_staged_bad(const half *a, float *out)
{
    __shared__ half tile[256];
    for (int i = threadIdx.x; i < 256; i += 64) tile[i] = a[i]; //~ here
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::load_matrix_sync(fa, tile, 16); //~ here
    out[blockIdx.x * 64 + threadIdx.x] = fa.x[0];
}

// [shuffle] What one warp stored its own lanes read back without a barrier.
//~ race
__global__ void wmma_read_back_bad(float *out)
{
    __shared__ float tile[2 * 256];
    int warp = threadIdx.x / 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 1.0f);
    wmma::store_matrix_sync(tile + warp * 256, fc, 16, wmma::mem_row_major); //~ here
    out[blockIdx.x * 64 + threadIdx.x] = tile[warp * 256 + threadIdx.x % 32]; //~ here
}

// A warp's barrier is enough for its own tile.
//~ race-free
__global__ void wmma_read_back_ok(float *out)
{
    __shared__ float tile[2 * 256];
    int warp = threadIdx.x / 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 1.0f);
    wmma::store_matrix_sync(tile + warp * 256, fc, 16, wmma::mem_row_major);
    __syncwarp();
    out[blockIdx.x * 64 + threadIdx.x] = tile[warp * 256 + threadIdx.x % 32];
}
