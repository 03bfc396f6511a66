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

// A cluster is several blocks.
//~ unknown
__global__ void cluster_met_open(int *out)
{
    auto cluster = cg::this_cluster();
    cluster.sync();
    out[threadIdx.x] = 1;
}

// Some of the copies may be under way.
//~ unknown
__global__ void waits_for_some_open(int *out)
{
    auto block = cg::this_thread_block();
    cg::wait_prior<1>(block);
    out[threadIdx.x] = 1;
}

// One of the lanes is chosen.
//~ unknown
__global__ void invoked_once_open(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    cg::invoke_one(tile, [&] { out[threadIdx.x / 32] = 1; });
}
