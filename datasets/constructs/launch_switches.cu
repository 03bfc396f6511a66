// Construct: what the label of a switch and a comparison tell of a number that host code computes, and which sizes the launch has then

#include <algorithm>
#include <cmath>

// Each thread has the elements that are a multiple of the width further, and the block is as wide.
//~ race-free
template <int W>
__global__ void switched_power_ok(float *o, int n)
{
    for (int i = threadIdx.x; i < n; i += W)
        o[blockIdx.x * n + i] += 1;
}

// [host-guard] The kernel for 128 threads is launched with 256.
//~ race
template <int W>
__global__ void switched_power_bad(float *o, int n)
{
    for (int i = threadIdx.x; i < n; i += W)
        o[blockIdx.x * n + i] += 1; //~ here
}

// The number of threads comes out of a logarithm.
//~ race-free
template <int W>
__global__ void switched_logarithm_ok(float *o, int n)
{
    for (int i = threadIdx.x; i < n; i += W)
        o[blockIdx.x * n + i] += 1;
}

// [host-guard] The number is doubled behind the label.
//~ race
template <int W>
__global__ void switched_then_doubled_bad(float *o, int n)
{
    for (int i = threadIdx.x; i < n; i += W)
        o[blockIdx.x * n + i] += 1; //~ here
}

// [host-guard] Control runs on from the label above, with other numbers of threads.
//~ race
template <int W>
__global__ void switched_runs_on_bad(float *o, int n)
{
    for (int i = threadIdx.x; i < n; i += W)
        o[blockIdx.x * n + i] += 1; //~ here
}

// What is left behind the labels is less.
//~ race-free
template <int W>
__global__ void switched_default_ok(float *o, int n)
{
    for (int i = threadIdx.x; i < n; i += W)
        o[blockIdx.x * n + i] += 1;
}

// [host-guard] What is left behind the labels may be more.
//~ race
template <int W>
__global__ void switched_default_bad(float *o, int n)
{
    for (int i = threadIdx.x; i < n; i += W)
        o[blockIdx.x * n + i] += 1; //~ here
}

// A product of two sizes is compared with a number.
//~ race-free
__global__ void compared_product_ok(float *o)
{
    o[blockIdx.x * 64 + threadIdx.x] += 1;
}

// [host-guard] Another product of the two is compared.
//~ race
__global__ void compared_product_bad(float *o)
{
    o[blockIdx.x * 64 + threadIdx.x] += 1; //~ here
}

// [host-guard] It is told not to be the number.
//~ race
__global__ void compared_denied_bad(float *o)
{
    o[blockIdx.x * 64 + threadIdx.x] += 1; //~ here
}

static int threads_for(int n)
{
    return std::max(std::min(1 << (n / 100), 512), 1);
}

int rows(float *o, int n, int x, int y)
{
    int threads = threads_for(n);
    switch (threads) {
    case 512:
        break;
    case 256:
        switched_power_ok<256><<<n, threads>>>(o, n);
        switched_power_bad<128><<<n, threads>>>(o, n);
        break;
    case 128:
        threads *= 2;
        switched_then_doubled_bad<128><<<n, threads>>>(o, n);
        break;
    case 64:
        threads = 2 * threads;
    case 32:
        switched_runs_on_bad<32><<<n, threads>>>(o, n);
        break;
    default:
        switched_default_ok<16><<<n, threads>>>(o, n);
        switched_default_bad<8><<<n, threads>>>(o, n);
    }
    unsigned most = std::log((double)n) / std::log(2.0);
    if (most == 64)
        switched_logarithm_ok<64><<<n, most>>>(o, n);
    if (x * y == 64) {
        compared_product_ok<<<n, x * y>>>(o);
        compared_product_bad<<<n, x * y * 2>>>(o);
    }
    if (x * y != 64)
        compared_denied_bad<<<n, x * y>>>(o);
    return 0;
}
