// Host code is what is compiled without `__CUDA_ARCH__`.

#ifdef __CUDA_ARCH__
constexpr int WIDTH = 32;
#define FACTOR 1
#else
constexpr int WIDTH = 64;
#define FACTOR 2
#endif

// [launch] The block that the host launches has two warps.
//~ race
__global__ void pass_constant_bad(int *out)
{
    if (threadIdx.x % 32 == 0) out[0] = threadIdx.x; //~ here
}

//~ race-free
__global__ void pass_constant_ok(int *out)
{
    if (threadIdx.x % 64 == 0) out[0] = threadIdx.x;
}

// [launch] A macro.
//~ race
__global__ void pass_macro_bad(int *out)
{
    if (threadIdx.x % 32 == 0) out[0] = threadIdx.x; //~ here
}

// [launch] The function says another number on the host.
__host__ __device__ int width()
{
#ifdef __CUDA_ARCH__
    return 32;
#else
    return 64;
#endif
}

//~ race
__global__ void pass_function_bad(int *out)
{
    if (threadIdx.x % width() == 0) out[0] = threadIdx.x; //~ here
}

// [launch] Only the host's text sets it.
//~ race
__global__ void pass_set_bad(int *out, int n)
{
    if (n == 5) out[0] = threadIdx.x; //~ here
}

//~ race-free
__global__ void pass_set_ok(int *out, int n)
{
    if (n == 4) out[0] = threadIdx.x;
}

// [launch] An instance.
//~ race
template <class T>
__global__ void pass_template_bad(T *out)
{
    if (threadIdx.x % 32 == 0) out[0] = threadIdx.x; //~ here
}

// [launch] Only the host's text launches it a second time.
//~ race
__global__ void pass_again_bad(int *out)
{
    if (threadIdx.x % 32 == 0) out[0] = threadIdx.x; //~ here
}

// [launch] Only the host's text launches this instance.
//~ race
template <int N>
__global__ void pass_instance_bad(int *out)
{
    if (threadIdx.x % N == 0) out[N > 32 ? 0 : threadIdx.x] = threadIdx.x; //~ here
}

// [launch] Only the device's text does.
//~ race-free
__global__ void pass_never_ok(int *out)
{
    out[threadIdx.x] = 1;
}

void launch_passes(int *out)
{
    pass_constant_bad<<<1, WIDTH>>>(out);
    pass_constant_ok<<<1, WIDTH>>>(out);
    pass_macro_bad<<<1, 32 * FACTOR>>>(out);
    pass_function_bad<<<1, width()>>>(out);
    int n = 4;
#ifndef __CUDA_ARCH__
    n = 5;
#endif
    (void)out;
    pass_set_bad<<<1, 64>>>(out, n);
    pass_set_ok<<<1, 64>>>(out, n);
    pass_template_bad<float><<<1, WIDTH>>>((float *)out);
    pass_instance_bad<32><<<1, 64>>>(out);
    pass_again_bad<<<1, 32>>>(out);
#ifndef __CUDA_ARCH__
    pass_again_bad<<<1, 64>>>(out);
    pass_instance_bad<33><<<1, 64>>>(out);
#endif
#ifdef __CUDA_ARCH__
    (void)out;
    pass_never_ok<<<1, 64>>>(out);
#endif
}
