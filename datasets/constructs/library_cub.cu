//--blockDim=128 --gridDim=4
// Construct: block-wide reductions and scans of CUB and the reuse of their temporary storage
#include <cub/cub.cuh>

// One reduction; its result is the first thread's.
//~ race-free
__global__ void cub_reduce_ok(const float *in, float *out)
{
    typedef cub::BlockReduce<float, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = BlockReduce(storage).Sum(in[i]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// [missing barrier] The storage is used again at once.
//~ race
__global__ void cub_reuse_bad(const float *in, float *out)
{
    typedef cub::BlockReduce<float, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = BlockReduce(storage).Sum(in[i]); //~ here
    float most = BlockReduce(storage).Reduce(in[i], cub::Max()); //~ here
    if (threadIdx.x == 0) out[blockIdx.x] = sum + most;
}

// With a barrier between.
//~ race-free
__global__ void cub_reuse_ok(const float *in, float *out)
{
    typedef cub::BlockReduce<float, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = BlockReduce(storage).Sum(in[i]);
    __syncthreads();
    float most = BlockReduce(storage).Reduce(in[i], cub::Max());
    if (threadIdx.x == 0) out[blockIdx.x] = sum + most;
}

// Two storages.
//~ race-free
__global__ void cub_two_storages_ok(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 128> BlockReduce;
    typedef cub::BlockScan<int, 128> BlockScan;
    __shared__ typename BlockReduce::TempStorage first;
    __shared__ typename BlockScan::TempStorage second;
    int i = blockIdx.x * blockDim.x + threadIdx.x, place;
    int sum = BlockReduce(first).Sum(in[i]);
    BlockScan(second).ExclusiveSum(in[i], place);
    out[i] = place + sum;
}

// [missing barrier round a loop] The next round uses the storage again.
//~ race
__global__ void cub_loop_bad(const int *in, int *out, int rounds)
{
    typedef cub::BlockScan<int, 128> BlockScan;
    __shared__ typename BlockScan::TempStorage storage;
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = 0;
    for (int k = 0; k < rounds; k++)
        BlockScan(storage).InclusiveSum(in[i] + k, place); //~ here
    out[i] = place;
}

// A barrier at the end of each round.
//~ race-free
__global__ void cub_loop_ok(const int *in, int *out, int rounds)
{
    typedef cub::BlockScan<int, 128> BlockScan;
    __shared__ typename BlockScan::TempStorage storage;
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = 0;
    for (int k = 0; k < rounds; k++) {
        BlockScan(storage).InclusiveSum(in[i] + k, place);
        __syncthreads();
    }
    out[i] = place;
}

// A thread may leave the loop before the others: reported.
//~ unknown
__global__ void cub_loop_left_early(const int *in, int *out, int rounds)
{
    typedef cub::BlockScan<int, 128> BlockScan;
    __shared__ typename BlockScan::TempStorage storage;
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = 0;
    for (int k = 0; k < rounds; k++) {
        BlockScan(storage).InclusiveSum(in[i] + k, place);
        if (place > 100) break;
    }
    out[i] = place;
}

struct Larger {
    template <typename T> __device__ T operator()(const T &a, const T &b) const
    {
        return a > b ? a : b;
    }
};

// The unit's own operator, on values.
//~ race-free
__global__ void cub_own_operator_ok(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    int most = BlockReduce(storage).Reduce(in[blockIdx.x * 128 + threadIdx.x], Larger());
    if (threadIdx.x == 0) out[blockIdx.x] = most;
}

// [missing barrier] That a collective orders other memory is not promised.
//~ race
__global__ void cub_as_barrier_bad(int *out)
{
    typedef cub::BlockReduce<int, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t; //~ here
    int sum = BlockReduce(storage).Sum(t);
    out[blockIdx.x * 128 + t] = s[127 - t] + sum; //~ here
}

// Not all threads come: reported, since no barrier stands for the collective.
//~ unknown
__global__ void cub_divergent(int *out)
{
    typedef cub::BlockReduce<int, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    if (threadIdx.x < 64) {
        int sum = BlockReduce(storage).Sum(1);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}
