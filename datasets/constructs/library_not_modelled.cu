//--blockDim=64 --gridDim=1
// Construct: functions that are reported as not modelled
#include <cooperative_groups.h>
#include <curand_kernel.h>
namespace cg = cooperative_groups;

// It reads as many numbers as it is told.
//~ unknown
__global__ void norm_of_array_open(const double *in, double *out)
{
    out[threadIdx.x] = norm(3, in);
}

// Which bytes of a cube map are meant is not told.
//~ unknown
__global__ void cube_surface_open(cudaSurfaceObject_t surface)
{
    surfCubemapwrite(1, surface, threadIdx.x * 4, 0, 0);
}

// The state belongs to the block.
//~ unknown
__global__ void generator_of_block_open(curandStateMtgp32 *state, unsigned *out)
{
    out[threadIdx.x] = curand_mtgp32_specific(state, threadIdx.x, 64);
}

// A barrier of the cluster is one of its blocks as well.
//~ race-free
__global__ void cluster_met_ok(int *out)
{
    auto cluster = cg::this_cluster();
    cluster.sync();
    out[threadIdx.x] = 1;
}
