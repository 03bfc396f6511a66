//--blockDim=64 --gridDim=1
// Construct: collectives that are named and not modelled
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Who is in the group is decided by a run.
//~ unknown
__global__ void library_coalesced_barrier(int *out)
{
    auto active = cg::coalesced_threads();
    out[threadIdx.x] = active.thread_rank();
    active.sync();
}
