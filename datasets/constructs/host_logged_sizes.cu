// Sizes of launches that are handed to macros of headers that were not found, and to functions that nothing declares.
#include "not_found/logger.hpp"

// A logger is taken to leave the block as it is, which is listed.
//~ race-free
__global__ void logged_tile_ok(float *out, const float *in)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

void run_logged_tile(float *out, const float *in, int blocks)
{
    dim3 block(256);
    dim3 grid(blocks);
    LOG_LAUNCH("tile", grid, block);
    logged_tile_ok<<<grid, block>>>(out, in);
}

// [open-block] What still has no size gets one from whoever it is handed to.
//~ race
__global__ void sized_tile_bad(float *out, const float *in)
{
    out[threadIdx.x] = in[threadIdx.x + 64 * blockIdx.x]; //~ here
}

void run_sized_tile(float *out, const float *in)
{
    dim3 block(64), grid;
    SET_BLOCKS(grid);
    sized_tile_bad<<<grid, block>>>(out, in);
}

// [open-block] A function that nothing declares may change what it is given.
//~ race
__global__ void adjusted_tile_bad(float *out, const float *in)
{
    out[threadIdx.x] = in[threadIdx.x + 64 * blockIdx.x]; //~ here
}

void run_adjusted_tile(float *out, const float *in)
{
    dim3 block(64), grid(1);
    adjust_blocks(grid);
    adjusted_tile_bad<<<grid, block>>>(out, in);
}

// [log-by-address] An address that is handed on is another matter.
//~ race
__global__ void addressed_tile_bad(float *out, const float *in)
{
    out[threadIdx.x] = in[threadIdx.x + 64 * blockIdx.x]; //~ here
}

void run_addressed_tile(float *out, const float *in)
{
    dim3 block(64), grid(1, 1, 1);
    FILL_BLOCKS(&grid);
    addressed_tile_bad<<<grid, block>>>(out, in);
}
