// Construct: collectives of CUB in blocks whose sizes are open: the shape is taken for granted of the blocks that come there
#include <cub/cub.cuh>

// What is taken for granted makes the number of the thread one of 128.
//~ race-free
__global__ void collective_of_all_ok(int *out, const int *in)
{
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    int sum = Reduce(storage).Sum(in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

// [same-element] Blocks of 128 threads go through the collective, others do not, and nothing is taken for granted of those.
//~ race
__global__ void collective_in_one_way_bad(int *out, const int *in)
{
    if (blockDim.x == 128) {
        typedef cub::BlockReduce<int, 128> Reduce;
        __shared__ typename Reduce::TempStorage storage;
        int sum = Reduce(storage).Sum(in[blockIdx.x * 128 + threadIdx.x]);
        if (threadIdx.x == 0)
            out[blockIdx.x] = sum;
    } else {
        out[blockIdx.x] = in[threadIdx.x]; //~ here
    }
}
