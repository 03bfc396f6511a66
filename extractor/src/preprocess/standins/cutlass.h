// Stands in for headers of CUTLASS and CuTe that were not found: words before functions and loops.
#ifndef CUTLASS_HOST_DEVICE
#define CUTLASS_HOST_DEVICE __host__ __device__ inline
#endif
#ifndef CUTLASS_DEVICE
#define CUTLASS_DEVICE __device__ inline
#endif
#ifndef CUTLASS_HOST
#define CUTLASS_HOST __host__
#endif
#ifndef CUTLASS_GLOBAL
#define CUTLASS_GLOBAL __global__ static
#endif
#ifndef CUTLASS_PRAGMA_UNROLL
#define CUTLASS_PRAGMA_UNROLL
#endif
#ifndef CUTLASS_PRAGMA_NO_UNROLL
#define CUTLASS_PRAGMA_NO_UNROLL
#endif
#ifndef CUTE_HOST_DEVICE
#define CUTE_HOST_DEVICE __host__ __device__ inline
#endif
#ifndef CUTE_DEVICE
#define CUTE_DEVICE __device__ inline
#endif
#ifndef CUTE_HOST
#define CUTE_HOST inline __host__
#endif
#ifndef CUTE_UNROLL
#define CUTE_UNROLL
#endif
#ifndef CUTE_NO_UNROLL
#define CUTE_NO_UNROLL
#endif
#ifndef CUTE_INLINE_CONSTANT
#define CUTE_INLINE_CONSTANT static constexpr
#endif
#ifndef CUTE_STATIC
#define CUTE_STATIC static
#endif
