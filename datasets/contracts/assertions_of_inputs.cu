//--blockDim=64 --gridDim=4
// Contract: assertions over what arrays of the caller hold are required of the caller; those over what the kernel wrote are not
#include <cassert>

// The size is the caller's, and so is where it stands.
//~ race-free
__global__ void required_size_ok(float *v, const int *sizes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(sizes[0] >= n);
    if (i < n) v[i] *= 2;
}

// Each thread checks its own place, as PyTorch does.
//~ race-free
__global__ void required_place_ok(float *v, const float *from, const int *places, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    CUDA_KERNEL_ASSERT(places[i] >= 0 && places[i] < n);
    CUDA_KERNEL_ASSERT_MSG(places[i] >= 0, "a place");
    CUDA_KERNEL_ASSERT_PRINTF(places[i] < n, "%d", places[i]);
    v[i] = from[places[i]];
}

// [index] It orders nobody.
//~ race
__global__ void required_place_bad(float *v, const int *places, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    CUDA_KERNEL_ASSERT(places[i] >= 0 && places[i] < n);
    CUDA_KERNEL_ASSERT_MSG(places[i] >= 0, "a place");
    CUDA_KERNEL_ASSERT_PRINTF(places[i] < n, "%d", places[i]);
    v[places[i] / 2] = i; //~ here
}

// [assertion] What the kernel wrote itself is not what its caller decides.
//~ assertion
__global__ void written_before_bad(int *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = i % 7;
    assert(v[i] < 6); //~ here
}
