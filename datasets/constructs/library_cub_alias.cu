// Construct: the collectives of CUB behind another name for its namespace
#include <cub/cub.cuh>

namespace blocks = cub;

// One sum, told by one thread.
//~ race-free
__global__ void alias_one_sum_ok(float *out, const float *in)
{
    typedef blocks::BlockReduce<float, 64> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    float sum = Reduce(storage).Sum(in[threadIdx.x]);
    if (threadIdx.x == 0)
        out[0] = sum;
}

// [missing barrier] The second sum uses the storage while the first may still be read.
//~ race
__global__ void alias_two_sums_bad(float *out, const float *in)
{
    typedef blocks::BlockReduce<float, 64> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    float x = in[threadIdx.x];
    float sum = Reduce(storage).Sum(x); //~ here
    float squares = Reduce(storage).Sum(x * x); //~ here
    if (threadIdx.x == 0)
        out[0] = sum + squares;
}

// A barrier between the two makes the storage free again.
//~ race-free
__global__ void alias_two_sums_ok(float *out, const float *in)
{
    typedef blocks::BlockReduce<float, 64> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    float x = in[threadIdx.x];
    float sum = Reduce(storage).Sum(x);
    __syncthreads();
    float squares = Reduce(storage).Sum(x * x);
    if (threadIdx.x == 0)
        out[0] = sum + squares;
}

void launch_cub_alias(float *out, const float *in)
{
    alias_one_sum_ok<<<1, 64>>>(out, in);
    alias_two_sums_bad<<<1, 64>>>(out, in);
    alias_two_sums_ok<<<1, 64>>>(out, in);
}
