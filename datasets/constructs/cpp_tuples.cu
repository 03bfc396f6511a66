// Construct: std::tuple, make_tuple and make_pair, their elements by number and by type

#include <tuple>
#include <utility>

__device__ std::tuple<int, float, int> place_and_value(int i, float v)
{
    return std::make_tuple(i, v, 7);
}

// The first element is the number of the thread.
//~ race-free
__global__ void tuple_element_ok(float *o)
{
    auto made = place_and_value(blockIdx.x * blockDim.x + threadIdx.x, 2.0f);
    o[std::get<0>(made)] = std::get<1>(made);
}

// [same-element] The third element is one number for all threads.
//~ race
__global__ void tuple_element_bad(int *o)
{
    auto made = place_and_value(blockIdx.x * blockDim.x + threadIdx.x, 2.0f);
    o[std::get<2>(made)] = std::get<0>(made); //~ here
}

// The only element that is a number with a sign.
//~ race-free
__global__ void tuple_by_type_ok(float *o)
{
    std::tuple<float, int> made(1.0f, threadIdx.x);
    o[blockIdx.x * blockDim.x + std::get<int>(made)] = std::get<float>(made);
}

// Written through the reference that it gives.
//~ race-free
__global__ void tuple_written_ok(int *o)
{
    std::tuple<int, int> made(0, 5);
    std::get<0>(made) = blockIdx.x * blockDim.x + threadIdx.x;
    o[std::get<0>(made)] = std::get<1>(made);
}

// [same-element] What is written is the other one.
//~ race
__global__ void tuple_written_bad(int *o)
{
    std::tuple<int, int> made(0, 5);
    std::get<1>(made) = blockIdx.x * blockDim.x + threadIdx.x;
    o[std::get<0>(made)] = std::get<1>(made); //~ here
}

// [narrow] The number does not fit into the element.
//~ race
__global__ void tuple_narrow_bad(int *o)
{
    std::tuple<unsigned char, int> made(threadIdx.x, threadIdx.x);
    o[std::get<0>(made)] = std::get<1>(made); //~ here
}

// Names for the elements.
//~ race-free
__global__ void tuple_bound_ok(float *o)
{
    auto [place, value, rest] = place_and_value(blockIdx.x * blockDim.x + threadIdx.x, 2.0f);
    o[place] = value;
}

// [same-element] Names for the elements in another order.
//~ race
__global__ void tuple_bound_bad(float *o)
{
    auto [value, rest, place] = place_and_value(blockIdx.x * blockDim.x + threadIdx.x, 2.0f);
    o[place] = value; //~ here
}

// A pair that is made of its elements.
//~ race-free
__global__ void pair_made_ok(float *o)
{
    auto made = std::make_pair(blockIdx.x * blockDim.x + threadIdx.x, 2.0f);
    o[made.first] = made.second;
}

// [same-element] A pair of the same in the other order.
//~ race
__global__ void pair_made_bad(unsigned *o)
{
    auto made = std::make_pair(3, blockIdx.x * blockDim.x + threadIdx.x);
    o[made.first] = made.second; //~ here
}
