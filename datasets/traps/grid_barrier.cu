//--blockDim=64 --gridDim=4
// Trap: false alarm on grid barriers
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// The grid barrier separates the write from the reads of other blocks.
//~ race-free
__global__ void grid_barrier_ok(int *g, int *out)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n = gridDim.x * blockDim.x;
    g[i] = i;
    grid.sync();
    out[i] = g[n - 1 - i];
}

// [cross-block] A block barrier does not.
//~ race
__global__ void grid_barrier_bad(int *g, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n = gridDim.x * blockDim.x;
    g[i] = i; //~ here
    __syncthreads();
    out[i] = g[n - 1 - i]; //~ here
}
