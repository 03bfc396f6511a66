// CUDA kernels as C++, for the thread sanitizer: each CUDA thread is a thread of the system. Only what the data set uses much.
//
// Blocks run one after the other, but unordered for the sanitizer; barriers order memory for their threads, atomics are relaxed
// atomics, shuffles and votes order nothing. `extern __shared__` arrays are rewritten by the test before this is compiled.
#pragma once
#include "runtime.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <float.h>
#include <type_traits>
#include <unistd.h>
#include <initializer_list>
#include <tuple>
#include <utility>

#define __global__ __attribute__((noinline))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __shared__ static __attribute__((section("simt_shared")))
#define __restrict__
#define __requires(...)
#define __ensures(...)
#define __assume(...)
#define __assert(...)
#define __global_assert(...)
#define __invariant(...)
#define __global_invariant(...)
#define __candidate_invariant(...)

struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
static thread_local uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static const int warpSize = 32;
// Assigned member by member: what a function returns into memory is not seen by the sanitizer of GCC.
#define SIMT_ASSIGN(N, ...) N &operator=(const N &o) { __VA_ARGS__; return *this; }
#define SIMT_ASSIGN2(N) SIMT_ASSIGN(N, x = o.x, y = o.y)
#define SIMT_ASSIGN3(N) SIMT_ASSIGN(N, x = o.x, y = o.y, z = o.z)
#define SIMT_ASSIGN4(N) SIMT_ASSIGN(N, x = o.x, y = o.y, z = o.z, w = o.w)
#define SIMT_VECTOR(T, N)                                            \
    struct N##2 { T x, y; SIMT_ASSIGN2(N##2) };                      \
    struct N##3 { T x, y, z; SIMT_ASSIGN3(N##3) };                   \
    struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) N##4 { T x, y, z, w; SIMT_ASSIGN4(N##4) }; \
    static inline N##2 make_##N##2(T x, T y) { return {x, y}; }      \
    static inline N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; } \
    static inline N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
SIMT_VECTOR(int, int)
SIMT_VECTOR(float, float)
SIMT_VECTOR(double, double)
SIMT_VECTOR(char, char)
SIMT_VECTOR(unsigned char, uchar)
SIMT_VECTOR(short, short)
struct uint2 { unsigned x, y; SIMT_ASSIGN2(uint2) };
struct uint4 { unsigned x, y, z, w; SIMT_ASSIGN4(uint4) };
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// Part of its caller, so that the runtime can tell one barrier from another.
__attribute__((always_inline)) static inline void __syncthreads() { simt::block_barrier(true); }
static inline void __syncwarp(unsigned mask = 0xffffffffu) { simt::warp_barrier(mask); }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
static inline void __threadfence_system() {}
static inline int __syncthreads_count(int p) { return simt::count(p != 0); }
static inline int __syncthreads_or(int p) { return simt::count(p != 0) != 0; }
static inline int __syncthreads_and(int p) { return simt::count(p == 0) == 0; }

static inline int simt_lane() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}
template <class T> T simt_from(unsigned mask, T v, int lane, int width) {
    T all[32];
    simt::exchange(mask, &v, sizeof(T), all);
    return lane / width == simt_lane() / width && lane >= 0 ? all[lane] : v;
}
template <class T> T __shfl_sync(unsigned m, T v, int lane, int w = 32) {
    return simt_from(m, v, simt_lane() / w * w + lane % w, w);
}
template <class T> T __shfl_down_sync(unsigned m, T v, unsigned d, int w = 32) { return simt_from(m, v, simt_lane() + (int)d, w); }
template <class T> T __shfl_up_sync(unsigned m, T v, unsigned d, int w = 32) { return simt_from(m, v, simt_lane() - (int)d, w); }
template <class T> T __shfl_xor_sync(unsigned m, T v, int x, int w = 32) { return simt_from(m, v, simt_lane() ^ x, w); }
static inline unsigned __ballot_sync(unsigned m, int p) {
    int all[32];
    unsigned votes = 0;
    simt::exchange(m, &p, sizeof p, all);
    for (int lane = 0; lane < 32; lane++) votes |= (m >> lane & 1 && all[lane] ? 1u : 0u) << lane;
    return votes;
}
static inline int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
static inline int __all_sync(unsigned m, int p) { return __ballot_sync(m, !p) == 0; }

template <class T, class F> T simt_update(T *p, F f) {
    T old, fresh;
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do fresh = f(old);
    while (!__atomic_compare_exchange(p, &old, &fresh, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}
template <class T, class V> T atomicAdd(T *p, V v) { return simt_update(p, [=](T o) { return T(o + v); }); }
template <class T, class V> T atomicSub(T *p, V v) { return simt_update(p, [=](T o) { return T(o - v); }); }
template <class T, class V> T atomicMax(T *p, V v) { return simt_update(p, [=](T o) { return o < T(v) ? T(v) : o; }); }
template <class T, class V> T atomicMin(T *p, V v) { return simt_update(p, [=](T o) { return T(v) < o ? T(v) : o; }); }
template <class T, class V> T atomicOr(T *p, V v) { return simt_update(p, [=](T o) { return T(o | v); }); }
template <class T, class V> T atomicAnd(T *p, V v) { return simt_update(p, [=](T o) { return T(o & v); }); }
template <class T, class V> T atomicXor(T *p, V v) { return simt_update(p, [=](T o) { return T(o ^ v); }); }
template <class T, class V> T atomicExch(T *p, V v) { return simt_update(p, [=](T) { return T(v); }); }
template <class T, class V> T atomicInc(T *p, V v) { return simt_update(p, [=](T o) { return o >= T(v) ? T(0) : T(o + 1); }); }
template <class T, class V> T atomicDec(T *p, V v) { return simt_update(p, [=](T o) { return o == 0 || o > T(v) ? T(v) : T(o - 1); }); }
template <class T, class C, class V> T atomicCAS(T *p, C c, V v) { return simt_update(p, [=](T o) { return o == T(c) ? T(v) : o; }); }

template <class A, class B> auto min(A a, B b) { using T = typename std::common_type<A, B>::type; return T(a) < T(b) ? T(a) : T(b); }
template <class A, class B> auto max(A a, B b) { using T = typename std::common_type<A, B>::type; return T(a) < T(b) ? T(b) : T(a); }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __clz(int v) { return v ? __builtin_clz(v) : 32; }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline unsigned __brev(unsigned v) { unsigned r = 0; for (int i = 0; i < 32; i++) r |= (v >> i & 1) << (31 - i); return r; }
static inline int __mul24(int a, int b) { return a * b; }
template <class T> T __ldg(const T *p) { return *p; }
#define __expf(v) expf(v)
static inline float rsqrtf(float v) { return 1 / sqrtf(v); }

namespace simt {

// Number by number what the command line says of an argument: a scalar's value, or elements of an array.
struct Given { int parameter; bool element; long index; long long value; };
static Given given[256];
static int givens;
static unsigned seed;

// Elements on either side of the first that have contents, and that there is room for: beyond it another array would begin.
enum { ELEMENTS = 1 << 15, ROOM = 1 << 22 };

template <class T> struct Argument {
    static T make(int parameter) {
        T value;
        memset((void *)&value, 0, sizeof value);
        return value;
    }
};
template <class T> T scalar(int parameter) {
    long long value = (long long)blockDim.x * blockDim.y * gridDim.x;
    for (int i = 0; i < givens; i++)
        if (given[i].parameter == parameter && !given[i].element) value = given[i].value;
    return (T)value;
}
template <class T> T *array(int parameter, std::true_type) {
    // Indices may go below zero.
    T *memory = (T *)calloc(2 * ROOM, sizeof(T)) + ROOM;
    for (long i = -ELEMENTS; i < ELEMENTS; i++)
        memory[i] = (T)(seed ? (unsigned)(i * 2654435761u * seed) >> 16 & 15 : 0);
    for (int i = 0; i < givens; i++)
        if (given[i].parameter == parameter && given[i].element && labs(given[i].index) < ELEMENTS)
            memory[given[i].index] = (T)given[i].value;
    return memory;
}
template <class T> T *array(int, std::false_type) { return (T *)calloc(2 * ROOM, sizeof(T)) + ROOM; }
#define SIMT_SCALAR(T) template <> struct Argument<T> { static T make(int parameter) { return scalar<T>(parameter); } };
SIMT_SCALAR(bool) SIMT_SCALAR(char) SIMT_SCALAR(signed char) SIMT_SCALAR(unsigned char) SIMT_SCALAR(short)
SIMT_SCALAR(unsigned short) SIMT_SCALAR(int) SIMT_SCALAR(unsigned) SIMT_SCALAR(long) SIMT_SCALAR(unsigned long)
SIMT_SCALAR(long long) SIMT_SCALAR(unsigned long long) SIMT_SCALAR(float) SIMT_SCALAR(double)
template <class T> struct Argument<T *> {
    static T *make(int parameter) {
        using E = typename std::remove_cv<T>::type;
        return array<E>(parameter, std::is_arithmetic<E>());
    }
};

static long watched[2][2];
static bool watch;

// The command line: which kernel, blockDim, gridDim, the seed of the contents, the two threads to watch (block and number in it, or
// -1), then `parameter=value` and `parameter[index]=value`.
static inline int setup(int count, char **words) {
    if (count < 13) exit(3);
    alarm(20);
    long numbers[12];
    for (int i = 0; i < 12; i++) numbers[i] = atol(words[i + 1]);
    blockDim = dim3(numbers[1], numbers[2], numbers[3]);
    gridDim = dim3(numbers[4], numbers[5], numbers[6]);
    seed = numbers[7];
    for (int i = 0; i < 4; i++) watched[i / 2][i % 2] = numbers[8 + i];
    watch = watched[0][0] >= 0;
    for (int i = 13; i < count && givens < 256; i++) {
        Given &g = given[givens++];
        g.element = sscanf(words[i], "%d[%ld]=%lld", &g.parameter, &g.index, &g.value) == 3;
        if (!g.element && sscanf(words[i], "%d=%lld", &g.parameter, &g.value) != 2) exit(3);
    }
    return (int)numbers[0];
}

template <class... A> struct Started {
    void (*kernel)(A...);
    std::tuple<typename std::decay<A>::type...> arguments;
    uint3 block;
    static void body(void *self, unsigned x, unsigned y, unsigned z) {
        Started *started = (Started *)self;
        keep(0, &threadIdx, sizeof threadIdx);
        keep(1, &blockIdx, sizeof blockIdx);
        threadIdx = {x, y, z};
        blockIdx = started->block;
        std::apply(started->kernel, started->arguments);
    }
};

template <class... A, size_t... I> void launch(void (*kernel)(A...), std::index_sequence<I...>) {
    Started<A...> started = {kernel, {Argument<typename std::decay<A>::type>::make(I)...}, {}};
    unsigned size[3] = {blockDim.x, blockDim.y, blockDim.z};
    for (unsigned b = 0; b < gridDim.x * gridDim.y * gridDim.z; b++) {
        Started<A...> *of_block = new Started<A...>(started);
        of_block->block = {b % gridDim.x, b / gridDim.x % gridDim.y, b / gridDim.x / gridDim.y};
        run_block(size, b, watched, watch, Started<A...>::body, of_block);
    }
    fflush(stdout);
    fprintf(stderr, "simt: done\n");
}
template <class... A> void launch(void (*kernel)(A...)) {
    launch(kernel, std::make_index_sequence<sizeof...(A)>());
}

}  // namespace simt
