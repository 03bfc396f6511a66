//--blockDim=64 --gridDim=1
// Construct: collectives that are named and not modelled
#include <mma.h>
#include <cooperative_groups.h>
using namespace nvcuda;
namespace cg = cooperative_groups;

// Which lane stores which element is not specified.
//~ unknown
__global__ void library_wmma_tile(half *a, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment;
    wmma::load_matrix_sync(fragment, a, 16);
}

// Who is in the group is decided by a run.
//~ unknown
__global__ void library_coalesced_barrier(int *out)
{
    auto active = cg::coalesced_threads();
    out[threadIdx.x] = active.thread_rank();
    active.sync();
}
