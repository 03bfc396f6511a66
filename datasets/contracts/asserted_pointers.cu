//--blockDim=64 --gridDim=4
// Contracts: what a kernel asserts of the pointers that it is given
#include <cassert>

// That there is memory is what the kernel requires of its caller.
//~ race-free
__global__ void given_ok(float *v, const int *sizes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(v != nullptr);
    assert(sizes && sizes[0] >= n);
    if (i < n) v[i] *= 2;
}

// [index] It says nothing of which elements are touched.
//~ race
__global__ void given_bad(float *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(v != nullptr);
    if (i < n) v[i / 2] = i; //~ here
}

// The two are said to be apart.
//~ race-free
__global__ void given_apart_ok(float *v, const float *w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(v != w);
    v[i] = w[i];
}

// [thread] A pointer of the thread's own is not the caller's business.
//~ assertion
__global__ void own_pointer_bad(int *v)
{
    int *own = threadIdx.x == 63 ? nullptr : v + threadIdx.x;
    assert(own != nullptr); //~ here
    if (own) *own = 1;
}
