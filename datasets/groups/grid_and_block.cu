//--blockDim=64 --gridDim=4
// Barriers of the block and of the grid, called through groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <typename Group> __device__ void meet(Group g) { g.sync(); }

// The whole grid waits between writing and reading.
//~ race-free
__global__ void grid_exchange_ok(int *a, int *b)
{
    auto grid = cg::this_grid();
    int i = blockIdx.x * 64 + threadIdx.x;
    a[i] = i;
    grid.sync();
    b[i] = a[255 - i];
}

// [grid] The block's barrier does not order blocks.
//~ race
__global__ void grid_exchange_bad(int *a, int *b)
{
    auto block = cg::this_thread_block();
    int i = blockIdx.x * 64 + threadIdx.x;
    a[i] = i; //~ here
    block.sync();
    b[i] = a[255 - i]; //~ here
}

// Rounds with two barriers of the grid.
//~ race-free
__global__ void grid_rounds_ok(int *a, int n)
{
    auto grid = cg::this_grid();
    int i = blockIdx.x * 64 + threadIdx.x;
    for (int k = 0; k < n; k++) {
        int x = a[255 - i];
        cg::sync(grid);
        a[i] = x;
        cg::sync(grid);
    }
}

// [grid] One of them is missing.
//~ race
__global__ void grid_rounds_bad(int *a, int n)
{
    auto grid = cg::this_grid();
    int i = blockIdx.x * 64 + threadIdx.x;
    for (int k = 0; k < n; k++) {
        int x = a[255 - i]; //~ here
        cg::sync(grid);
        a[i] = x; //~ here
    }
}

// [grid] One block does not come to the barrier of the grid.
//~ divergence
__global__ void grid_divergent_bad(int *a)
{
    auto grid = cg::this_grid();
    int i = blockIdx.x * 64 + threadIdx.x;
    if (blockIdx.x > 0) grid.sync(); //~ here
    a[i] = i;
}

// A condition that is one for the grid.
//~ race-free
__global__ void grid_divergent_ok(int *a, int n)
{
    auto grid = cg::this_grid();
    int i = blockIdx.x * 64 + threadIdx.x;
    if (n > 0) grid.sync();
    a[i] = i;
}

// A group passed to a helper keeps what it is.
//~ race-free
__global__ void group_passed_ok(int *a)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    s[t] = t;
    meet(block);
    a[blockIdx.x * 64 + t] = s[63 - t];
}

// [group] The helper gets a tile.
//~ race
__global__ void group_passed_bad(int *a)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = t; //~ here
    meet(tile);
    a[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// Which lanes are in a coalesced group is for the device to say.
//~ unknown
__global__ void coalesced_sync(int *a)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t % 3 == 0) {
        auto active = cg::coalesced_threads();
        s[t] = t;
        active.sync();
        a[blockIdx.x * 64 + t] = s[t];
    }
}

// A coalesced group's leader adds for all: atomics only.
//~ race-free
__global__ void coalesced_add_ok(int *a)
{
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(a, (int)active.size());
}

// [group] Each group has a leader, and they all write.
//~ race
__global__ void coalesced_add_bad(int *a)
{
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) a[0] += (int)active.size(); //~ here
}
