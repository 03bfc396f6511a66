// Construct: four elements at once, through `std::aligned_storage`
#include <type_traits>

template <typename T> __device__ void four(T *to, const T *from, int at_to, int at_from)
{
    typedef typename std::aligned_storage<4 * sizeof(T), 4 * alignof(T)>::type Four;
    ((Four *)to)[at_to] = ((const Four *)from)[at_from]; //~ here
}

// Each thread has four of its own.
//~ race-free
template <typename T> __global__ void four_each_ok(T *to, const T *from)
{
    T own[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    four(own, from, 0, i);
    for (int k = 0; k < 4; k++) own[k] *= 2;
    four(to, own, i, 0);
}

// [index] Two threads store to the same four.
//~ race
template <typename T> __global__ void four_each_bad(T *to, const T *from)
{
    T own[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    four(own, from, 0, i);
    for (int k = 0; k < 4; k++) own[k] += i;
    four(to, own, i / 2, 0);
}

// [width] The places are one element apart, not four.
//~ race
template <typename T> __global__ void four_apart_bad(T *to, const T *from)
{
    using Four = std::aligned_storage_t<4 * sizeof(T), sizeof(T)>;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    *(Four *)(to + i) = *(const Four *)(from + 4 * i); //~ here
}

void go(float *a, const float *b, double *c, const double *d)
{
    four_each_ok<<<4, 64>>>(a, b);
    four_each_ok<<<4, 64>>>(c, d);
    four_each_bad<<<4, 64>>>(a, b);
    four_apart_bad<<<4, 64>>>(a, b);
}
