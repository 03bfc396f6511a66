//--blockDim=64 --gridDim=2
// How many lanes come at once where a condition lets one of them in, or those that have something equal.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each lane adds for itself: as many turns as lanes.
//~ race-free
__global__ void cost_each_lane_bad(int *out, const int *in)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// The first of the lanes that are together adds for all of them.
//~ race-free
__global__ void cost_first_of_group_ok(int *out, const int *in)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        if (g.thread_rank() == 0) atomicAdd(&count, g.size());
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// So does the last of them.
//~ race-free
__global__ void cost_last_of_group_ok(int *out, const int *in)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        if (g.thread_rank() == g.size() - 1) atomicAdd(&count, g.size());
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// The first four of them: nothing says that they are fewer than all.
//~ race-free
__global__ void cost_first_four_of_group_bad(int *out, const int *in)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        if (g.thread_rank() < 4) atomicAdd(&count, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// The first lane of each label: a warp may have as many labels as lanes.
//~ race-free
__global__ void cost_first_of_label_bad(int *out, const int *in)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    cg::coalesced_group g = cg::labeled_partition(cg::coalesced_threads(), in[threadIdx.x]);
    if (g.thread_rank() == 0) atomicAdd(&count, g.size());
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// The lowest lane of a mask of those that are there.
//~ race-free
__global__ void cost_lowest_active_ok(int *out, const int *in)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) {
        unsigned mask = __activemask();
        if ((threadIdx.x & 31) == __ffs(mask) - 1) atomicAdd(&count, __popc(mask));
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// Two lanes share a number.
//~ race-free
__global__ void cost_lowest_pair_bad(int *out, const int *in)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) {
        unsigned mask = __activemask();
        if ((threadIdx.x & 31) / 2 == (__ffs(mask) - 1) / 2) atomicAdd(&count, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// A thread that the caller names.
//~ race-free
__global__ void cost_named_thread_ok(int *out, int k)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (threadIdx.x == k) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// Eight threads that the caller names want a column of which each has a word of its own.
//~ race-free
__global__ void cost_named_eight_bad(float *out, int k)
{
    __shared__ float s[64 * 32];
    for (int i = threadIdx.x; i < 64 * 32; i += 64) s[i] = i;
    __syncthreads();
    if (threadIdx.x / 8 == k) out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x * 32];
}

// All but one.
//~ race-free
__global__ void cost_all_but_one_bad(int *out, int k)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (threadIdx.x != k) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}
