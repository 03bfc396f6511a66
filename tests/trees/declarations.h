// What the kernels of the data set use of CUDA, declared so that clang can group their expressions. Types matter here only as far
// as they tell a type from a value and let calls resolve: nothing is compiled. Our own writing; no header of CUDA takes part.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define BOTH __attribute__((host)) __attribute__((device))
#define NULL nullptr

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t, uchar;
typedef unsigned short uint16_t, ushort;
typedef unsigned uint32_t, uint;
typedef unsigned long uint64_t, uintptr_t, ulong;
typedef long intptr_t;

#define VECTORS(T, N) \
    struct N##1 { T x; }; struct N##2 { T x, y; }; struct N##3 { T x, y, z; }; struct N##4 { T x, y, z, w; }; \
    BOTH N##1 make_##N##1(T); BOTH N##2 make_##N##2(T, T); BOTH N##3 make_##N##3(T, T, T); BOTH N##4 make_##N##4(T, T, T, T);
VECTORS(char, char) VECTORS(unsigned char, uchar) VECTORS(short, short) VECTORS(unsigned short, ushort) VECTORS(int, int)
VECTORS(unsigned, uint) VECTORS(long, long) VECTORS(unsigned long, ulong) VECTORS(long long, longlong)
VECTORS(unsigned long long, ulonglong) VECTORS(float, float) VECTORS(double, double)

struct dim3 {
    unsigned x, y, z;
    BOTH constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
extern const BOTH uint3 threadIdx, blockIdx;
extern const BOTH dim3 blockDim, gridDim;
extern const BOTH int warpSize;

// A value that may be anything: what a function gives whose type does not matter.
struct Any {
    template <typename T> BOTH operator T() const;
};

__device__ void __syncthreads(); BOTH int __syncthreads_or(int); BOTH int __syncthreads_and(int); BOTH int __syncthreads_count(int);
BOTH void __syncwarp(unsigned = ~0u); BOTH void __threadfence(); BOTH void __threadfence_block(); BOTH void __threadfence_system();
BOTH void __trap(); BOTH void __nanosleep(unsigned); BOTH void assert(bool); BOTH void __assume(bool); BOTH void __requires(bool); BOTH bool __is_pow2(unsigned); BOTH unsigned __activemask();
BOTH void __barrier_sync(unsigned); BOTH void __barrier_sync_count(unsigned, unsigned);
#define ATOMIC(N) template <typename T, typename U> BOTH T N(T *, U); template <typename T, typename U> BOTH T N##_block(T *, U); \
    template <typename T, typename U> BOTH T N##_system(T *, U);
ATOMIC(atomicAdd) ATOMIC(atomicSub) ATOMIC(atomicExch) ATOMIC(atomicMin) ATOMIC(atomicMax) ATOMIC(atomicInc) ATOMIC(atomicDec)
ATOMIC(atomicAnd) ATOMIC(atomicOr) ATOMIC(atomicXor)
template <typename T, typename U, typename V> BOTH T atomicCAS(T *, U, V);
#define SHUFFLE(N) template <typename T> BOTH T N##_sync(unsigned, T, int, int = 32); template <typename T> BOTH T N(T, int, int = 32);
SHUFFLE(__shfl) SHUFFLE(__shfl_up) SHUFFLE(__shfl_down) SHUFFLE(__shfl_xor)
BOTH unsigned __ballot_sync(unsigned, int); BOTH int __any_sync(unsigned, int); BOTH int __all_sync(unsigned, int);
BOTH unsigned __ballot(int); BOTH int __any(int); BOTH int __all(int);
template <typename T> BOTH unsigned __match_any_sync(unsigned, T); template <typename T> BOTH unsigned __match_all_sync(unsigned, T, int *);
template <typename T> BOTH T __reduce_add_sync(unsigned, T); template <typename T> BOTH T __reduce_max_sync(unsigned, T);
template <typename T> BOTH T __ldg(const T *); template <typename T> BOTH T __ldcg(const T *); template <typename T> BOTH T __ldca(const T *);
template <typename T> BOTH T __ldcs(const T *); template <typename T> BOTH T __ldcv(const T *);
template <typename T> BOTH void __stcg(T *, T); template <typename T> BOTH void __stcs(T *, T); template <typename T> BOTH void __stwt(T *, T);
BOTH int __popc(unsigned); BOTH int __popcll(unsigned long long); BOTH int __ffs(int); BOTH int __clz(int); BOTH unsigned __brev(unsigned);
BOTH int __mul24(int, int); BOTH unsigned __umul24(unsigned, unsigned); BOTH unsigned __umulhi(unsigned, unsigned); BOTH int __mulhi(int, int);
BOTH int __hadd(int, int); BOTH int __rhadd(int, int); BOTH unsigned __usad(unsigned, unsigned, unsigned); BOTH unsigned __sad(int, int, unsigned);
BOTH unsigned __byte_perm(unsigned, unsigned, unsigned);
BOTH unsigned __funnelshift_r(unsigned, unsigned, unsigned); BOTH unsigned __funnelshift_l(unsigned, unsigned, unsigned);
BOTH float __int_as_float(int); BOTH int __float_as_int(float); BOTH int __float2int_rn(float); BOTH float __int2float_rn(int);
BOTH long long clock64(); BOTH int clock();

template <typename T, typename U> BOTH T min(T, U); template <typename T, typename U> BOTH T max(T, U); template <typename T> BOTH T abs(T);
BOTH float fabsf(float); BOTH float fmaxf(float, float); BOTH float fminf(float, float); BOTH float sqrtf(float); BOTH float rsqrtf(float);
BOTH float expf(float); BOTH float logf(float); BOTH float powf(float, float); BOTH float sinf(float); BOTH float cosf(float);
BOTH float floorf(float); BOTH float ceilf(float); BOTH float fmaf(float, float, float); BOTH float fmodf(float, float);
BOTH float frexpf(float, int *); BOTH float ldexpf(float, int); BOTH float modff(float, float *);
BOTH double fabs(double); BOTH double sqrt(double); BOTH double exp(double); BOTH double log(double); BOTH double log2(double);
BOTH double pow(double, double); BOTH double sin(double); BOTH double cos(double); BOTH double floor(double); BOTH double ceil(double);
BOTH double fmax(double, double); BOTH double fmin(double, double); BOTH void sincosf(float, float *, float *);
BOTH void __sincosf(float, float *, float *); BOTH float __expf(float); BOTH float __fdividef(float, float);

extern "C" {
BOTH int printf(const char *, ...); BOTH void *malloc(size_t); BOTH void free(void *);
BOTH void *memcpy(void *, const void *, size_t); BOTH void *memset(void *, int, size_t); BOTH int memcmp(const void *, const void *, size_t);
BOTH void *memmove(void *, const void *, size_t); int atoi(const char *); int rand(); void srand(unsigned); void exit(int);
}

// The host's side.
typedef enum cudaError { cudaSuccess } cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
template <typename F> cudaError_t cudaLaunchKernel(F *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
template <typename F> cudaError_t cudaLaunchCooperativeKernel(F *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
struct cudaLaunchConfig_t { dim3 gridDim, blockDim; size_t dynamicSmemBytes; cudaStream_t stream; void *attrs; unsigned numAttrs; };
template <typename F, typename... A> cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, F *, A...);
template <typename T> cudaError_t cudaMalloc(T **, size_t); template <typename T> cudaError_t cudaMallocManaged(T **, size_t);
cudaError_t cudaFree(void *); cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind); cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaDeviceSynchronize(); cudaError_t cudaStreamCreate(cudaStream_t *);
template <typename T> cudaError_t cudaGetSymbolAddress(void **, const T &);

// half and bfloat16: values that behave as numbers do.
#define SMALL_FLOAT(T) \
    struct T { unsigned short bits; T() = default; BOTH T(float); BOTH operator float() const; BOTH T &operator+=(T); BOTH T &operator=(float); }; \
    BOTH T operator+(T, T); BOTH T operator-(T, T); BOTH T operator*(T, T); BOTH T operator/(T, T); BOTH bool operator<(T, T); BOTH bool operator>(T, T);
SMALL_FLOAT(__half) SMALL_FLOAT(__nv_bfloat16)
typedef __half half; typedef __nv_bfloat16 nv_bfloat16;
struct __half2 { __half x, y; }; typedef __half2 half2; struct __nv_bfloat162 { __nv_bfloat16 x, y; }; typedef __nv_bfloat162 nv_bfloat162;
BOTH half2 operator+(half2, half2); BOTH half2 operator*(half2, half2);
BOTH half __float2half(float); BOTH float __half2float(half); BOTH half2 __float2half2_rn(float); BOTH half __int2half_rn(int); BOTH half __hadd(half, half);
BOTH half2 __hadd2(half2, half2); BOTH half2 __hmul2(half2, half2); BOTH half2 __hfma2(half2, half2, half2); BOTH half2 __halves2half2(half, half);
BOTH half __low2half(half2); BOTH half __high2half(half2); BOTH nv_bfloat16 __float2bfloat16(float); BOTH float __bfloat162float(nv_bfloat16);
BOTH nv_bfloat162 __float22bfloat162_rn(float2); BOTH float2 __bfloat1622float2(nv_bfloat162);

typedef float2 cuFloatComplex, cuComplex; typedef double2 cuDoubleComplex;
BOTH cuFloatComplex make_cuFloatComplex(float, float); BOTH cuFloatComplex cuCaddf(cuFloatComplex, cuFloatComplex);
BOTH cuFloatComplex cuCmulf(cuFloatComplex, cuFloatComplex); BOTH float cuCrealf(cuFloatComplex); BOTH float cuCimagf(cuFloatComplex); BOTH float cuCabsf(cuFloatComplex);
BOTH cuDoubleComplex make_cuDoubleComplex(double, double); BOTH cuDoubleComplex cuCadd(cuDoubleComplex, cuDoubleComplex);
BOTH cuDoubleComplex cuCmul(cuDoubleComplex, cuDoubleComplex);

struct curandState { unsigned d, v[5]; }; typedef curandState curandState_t, curandStatePhilox4_32_10_t;
BOTH void curand_init(unsigned long long, unsigned long long, unsigned long long, curandState *); BOTH unsigned curand(curandState *);
BOTH float curand_uniform(curandState *); BOTH float4 curand_uniform4(curandState *); BOTH float4 curand_normal4(curandState *); BOTH float curand_normal(curandState *);

typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
enum { cudaTextureType1D = 1, cudaTextureType2D, cudaSurfaceType2D, cudaReadModeElementType };
template <typename T, int D = 1, int M = 0> struct texture {}; template <typename T, int D = 1> struct surface {};
template <typename T> BOTH T tex1Dfetch(cudaTextureObject_t, int); template <typename T> BOTH T tex2D(cudaTextureObject_t, float, float);
template <typename T, int D, int M> BOTH T tex2D(texture<T, D, M>, float, float);
template <typename T, int D, int M> BOTH T tex1Dfetch(texture<T, D, M>, int);
template <typename T> BOTH void surf2Dwrite(T, cudaSurfaceObject_t, int, int); template <typename T> BOTH void surf2Dread(T *, cudaSurfaceObject_t, int, int);
template <typename T> BOTH T surf2Dread(cudaSurfaceObject_t, int, int);
template <typename T> BOTH void surf2Dwrite(T, surface<void, 2>, int, int); template <typename T> BOTH T surf2Dread(surface<void, 2>, int, int);

namespace cooperative_groups {
struct thread_group {
    BOTH void sync() const; BOTH unsigned size() const; BOTH unsigned num_threads() const; BOTH unsigned thread_rank() const;
    BOTH unsigned meta_group_rank() const; BOTH unsigned meta_group_size() const; BOTH int any(int) const; BOTH int all(int) const; BOTH unsigned ballot(int) const;
    template <typename T> BOTH T shfl(T, int) const; template <typename T> BOTH T shfl_down(T, int) const; template <typename T> BOTH T shfl_xor(T, int) const;
    template <typename T> BOTH T shfl_up(T, int) const; BOTH dim3 group_index() const; BOTH dim3 thread_index() const; BOTH bool is_valid() const;
    BOTH dim3 group_dim() const; BOTH dim3 dim_threads() const; BOTH unsigned block_rank() const; BOTH unsigned num_blocks() const;
};
struct thread_block : thread_group {}; struct grid_group : thread_group {}; struct coalesced_group : thread_group {};
template <unsigned N, typename P = void> struct thread_block_tile : thread_group {
    thread_block_tile() = default;
    template <typename Q> BOTH thread_block_tile(const thread_block_tile<N, Q> &);
};
BOTH thread_block this_thread_block(); BOTH grid_group this_grid(); BOTH coalesced_group coalesced_threads();
template <unsigned N, typename G> BOTH thread_block_tile<N> tiled_partition(const G &); template <typename G> BOTH thread_group tiled_partition(const G &, unsigned);
template <typename G> BOTH void sync(const G &); template <typename T> struct plus {}; template <typename T> struct greater {};
template <typename G, typename T, typename F> BOTH T reduce(const G &, T, F);
}
namespace std {
template <typename T> BOTH void swap(T &, T &); template <typename T> BOTH T clamp(T, T, T); template <typename T> BOTH T min(T, T); template <typename T> BOTH T max(T, T);
template <typename T> struct numeric_limits { BOTH static constexpr T max() { return T(); } BOTH static constexpr T lowest() { return T(); } BOTH static constexpr T infinity() { return T(); } };
template <typename T> BOTH T &&move(T &); typedef ::size_t size_t;
enum memory_order { memory_order_relaxed, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
}
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
namespace std { using namespace ::std; }
using ::std::memory_order;
using ::std::memory_order_relaxed; using ::std::memory_order_acquire; using ::std::memory_order_release; using ::std::memory_order_acq_rel;
template <typename T, thread_scope S = thread_scope_system> struct atomic_ref {
    BOTH atomic_ref(T &); BOTH T fetch_add(T, ::std::memory_order = ::std::memory_order_seq_cst) const; BOTH T load(::std::memory_order = ::std::memory_order_seq_cst) const;
    BOTH void store(T, ::std::memory_order = ::std::memory_order_seq_cst) const; BOTH T exchange(T, ::std::memory_order = ::std::memory_order_seq_cst) const;
    BOTH T operator++(int) const; BOTH bool compare_exchange_strong(T &, T) const; BOTH T fetch_max(T, ::std::memory_order = ::std::memory_order_seq_cst) const;
};
template <typename T, thread_scope S = thread_scope_system> struct atomic : atomic_ref<T, S> { BOTH atomic(); };
}
namespace nvcuda { namespace wmma {
struct matrix_a {}; struct matrix_b {}; struct accumulator {}; struct row_major {}; struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
template <typename U, int M, int N, int K, typename T, typename L = void> struct fragment { T x[8]; int num_elements; };
template <typename F, typename T> BOTH void fill_fragment(F &, T); template <typename F, typename T> BOTH void load_matrix_sync(F &, const T *, unsigned);
template <typename F, typename T> BOTH void load_matrix_sync(F &, const T *, unsigned, layout_t);
template <typename F, typename T> BOTH void store_matrix_sync(T *, const F &, unsigned, layout_t);
template <typename D, typename A, typename B, typename C> BOTH void mma_sync(D &, const A &, const B &, const C &);
} }
namespace cub {
struct Max {}; struct Sum {};
template <typename T, int N> struct BlockReduce { struct TempStorage {}; BOTH BlockReduce(TempStorage &); BOTH BlockReduce(); BOTH T Sum(T); template <typename F> BOTH T Reduce(T, F); };
template <typename T, int N> struct BlockScan { struct TempStorage {}; BOTH BlockScan(TempStorage &); BOTH void ExclusiveSum(T, T &); BOTH void InclusiveSum(T, T &); BOTH void ExclusiveSum(T, T &, T &); };
}
namespace thrust {
template <typename T> struct complex { BOTH complex(T = T(), T = T()); BOTH T real() const; BOTH T imag() const; BOTH complex &operator+=(complex); };
template <typename T> BOTH complex<T> operator*(complex<T>, complex<T>); template <typename T> BOTH complex<T> operator+(complex<T>, complex<T>);
template <typename T> BOTH complex<T> operator*(T, complex<T>);
template <typename T> BOTH complex<T> conj(complex<T>); template <typename T> BOTH complex<T> exp(complex<T>); template <typename T> BOTH T abs(complex<T>);
}
BOTH bool __assert(bool); BOTH bool __global_assert(bool); BOTH bool __invariant(bool); BOTH bool __global_invariant(bool); BOTH bool __candidate_invariant(bool);
BOTH void __ensures(bool); BOTH void __function_wide_invariant(bool); template <typename T> BOTH void __requires_fresh_array(T *); template <typename T> BOTH void __distinct(T *);
template <typename... T> BOTH void __barrier_invariant_1(bool, T...); template <typename... T> BOTH void __barrier_invariant_binary_1(bool, T...);
BOTH bool __implies(bool, bool); BOTH int __ite(bool, int, int); BOTH bool __enabled(); BOTH int __other_int(int); BOTH bool __other_bool(bool);
BOTH bool __uniform_int(int); BOTH bool __uniform_bool(bool); BOTH bool __distinct_int(int); BOTH bool __exclusive(bool); BOTH int __mod_pow2(int, int);
template <typename T> BOTH bool __read(T *); template <typename T> BOTH bool __write(T *); template <typename T> BOTH bool __no_read(T *); template <typename T> BOTH bool __no_write(T *);
template <typename T> BOTH unsigned long __read_offset_bytes(T *); template <typename T> BOTH unsigned long __write_offset_bytes(T *);
template <typename T> BOTH bool __read_implies(T *, bool); template <typename T> BOTH bool __write_implies(T *, bool); template <typename T> BOTH unsigned long __ptr_offset_bytes(T *);
BOTH unsigned __add_noovfl(unsigned, unsigned); BOTH int __old_int(int); extern const int __return_val_int; extern const bool __same_group;
