//--blockDim=64 --gridDim=1
// Construct: what CUDA's headers and the compiler say of themselves
#include <cuda.h>
#include <thrust/version.h>

#if CUDA_VERSION < 8000 || CUDA_VERSION != CUDART_VERSION
#error "an old CUDA"
#endif

#if THRUST_VERSION < 100500
#error "an old Thrust"
#endif

#if defined(__CUDA_ARCH_HAS_FEATURE__)
#if __CUDA_ARCH_HAS_FEATURE__(SM100_ALL)
#define VERSION_MACROS_HALVES 2
#endif
#endif

#if (defined(__CUDA_ARCH_FEAT_SM100_ALL)) || (__CUDA_ARCH_HAS_FEATURE__(SM100_ALL))
#define VERSION_MACROS_HALVES 2
#endif

#if __has_cpp_attribute(nodiscard) && !__has_attribute(version_macros) && !__has_builtin(__version_macros)
#define VERSION_MACROS_KNOWN 1
#endif

#ifndef VERSION_MACROS_HALVES
//~ race-free
__global__ void version_macros_ok(int *g)
{
    g[threadIdx.x] = 1;
}
#endif

#if defined(CUDA_VERSION) && defined(VERSION_MACROS_KNOWN)
// [index] It is there.
//~ race
__global__ void version_macros_bad(int *g)
{
    g[threadIdx.x / 2] = threadIdx.x; //~ here
}
#endif
