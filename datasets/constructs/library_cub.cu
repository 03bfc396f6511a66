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

// [missing barrier round a loop] A thread may leave the loop before the others, and the next round uses the storage again.
//~ race
__global__ void cub_loop_left_early(const int *in, int *out, int rounds)
{
    typedef cub::BlockScan<int, 128> BlockScan;
    __shared__ typename BlockScan::TempStorage storage;
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = 0;
    for (int k = 0; k < rounds; k++) {
        BlockScan(storage).InclusiveSum(in[i] + k, place); //~ here
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

// [divergence] Not all threads come.
//~ divergence
__global__ void cub_divergent(int *out)
{
    typedef cub::BlockReduce<int, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    if (threadIdx.x < 64) {
        int sum = BlockReduce(storage).Sum(1); //~ here
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}

// A flag that the block shares decides: all of its threads come here, or none.
//~ race-free
__global__ void cub_flag_ok(const float *in, const int *done, float *out)
{
    typedef cub::BlockReduce<float, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    if (done[blockIdx.x]) return;
    float sum = BlockReduce(storage).Sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// [divergence] A flag of the thread: some may come here alone.
//~ divergence
__global__ void cub_flag_divergent(const float *in, const int *done, float *out)
{
    typedef cub::BlockReduce<float, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    if (done[threadIdx.x]) return;
    float sum = BlockReduce(storage).Sum(in[blockIdx.x * blockDim.x + threadIdx.x]); //~ here
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// [missing barrier] The flag is set by a thread while others may still read it.
//~ race
__global__ void cub_flag_bad(const float *in, int *done, float *out)
{
    typedef cub::BlockReduce<float, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    if (done[blockIdx.x]) return; //~ here
    float sum = BlockReduce(storage).Sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        out[blockIdx.x] = sum;
        done[blockIdx.x] = 1; //~ here
    }
}

// Lists of items: the results go to the elements of the thread's own array.
//~ race-free
__global__ void cub_items_ok(const int *in, int *out)
{
    typedef cub::BlockScan<int, 128> BlockScan;
    __shared__ typename BlockScan::TempStorage storage;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    int items[2] = {in[first], in[first + 1]};
    BlockScan(storage).ExclusiveSum(items, items);
    out[first] = items[0];
    out[first + 1] = items[1];
}

// [reuse] Two lists through one storage with no barrier between.
//~ race
__global__ void cub_items_bad(const int *in, int *out)
{
    typedef cub::BlockScan<int, 128> BlockScan;
    __shared__ typename BlockScan::TempStorage storage;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    int items[2] = {in[first], in[first + 1]};
    BlockScan(storage).ExclusiveSum(items, items); //~ here
    BlockScan(storage).InclusiveSum(items, items); //~ here
    out[first] = items[0];
}

// [index] The results are not what the lists held before.
//~ race
__global__ void cub_items_index_bad(int *out)
{
    typedef cub::BlockScan<int, 128> BlockScan;
    __shared__ typename BlockScan::TempStorage storage;
    int items[2] = {0, (int)threadIdx.x};
    BlockScan(storage).InclusiveSum(items, items);
    out[blockIdx.x * blockDim.x + items[1]] = threadIdx.x; //~ here
}

struct Minus {
    __device__ int operator()(const int &left, const int &right) const { return left - right; }
};

// Differences of neighbours: the storage hands the items round.
//~ race-free
__global__ void cub_difference_ok(const int *in, int *out, bool left)
{
    typedef cub::BlockAdjacentDifference<int, 128> Difference;
    __shared__ typename Difference::TempStorage storage;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    int items[2] = {in[first], in[first + 1]};
    if (left)
        Difference(storage).SubtractLeft(items, items, Minus());
    else
        Difference(storage).SubtractRight(items, items, Minus());
    out[first] = items[0];
    out[first + 1] = items[1];
}

// [reuse] Both through one storage with no barrier between.
//~ race
__global__ void cub_difference_bad(const int *in, int *out)
{
    typedef cub::BlockAdjacentDifference<int, 128> Difference;
    __shared__ typename Difference::TempStorage storage;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    int items[2] = {in[first], in[first + 1]}, other[2];
    Difference(storage).SubtractLeft(items, other, Minus()); //~ here
    Difference(storage).SubtractRight(items, items, Minus()); //~ here
    out[first] = items[0] + other[1];
}
