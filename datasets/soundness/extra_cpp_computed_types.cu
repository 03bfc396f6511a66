//--blockDim=64 --gridDim=1
// Extra: types that the library computes, and other names of its types

#include <cuComplex.h>
#include <cuda_fp16.h>
#include <iterator>
#include <type_traits>
#include <utility>

enum Wide : int { wide };
enum Narrow : char { narrow };

template <class T> struct Of { static constexpr int count = 1; };
template <> struct Of<int> { static constexpr int count = 2; };

template <class T> struct Half { static constexpr int count = 1; };
template <> struct Half<__half2> { static constexpr int count = 2; };

template <class T> struct Vector { static constexpr int count = 1; };
template <> struct Vector<float2> { static constexpr int count = 2; };

template <class T> struct Member { static constexpr int count = 1; };
template <class A, class B> struct Member<std::pair<A, B>> { static constexpr int count = 2; };

template <class T> __device__ int kind(T) { return 1; }
__device__ int kind(double) { return 2; }

template <class... R> struct Last;
template <class X> struct Last<X> { using type = X; };
template <class X, class... R> struct Last<X, R...> { using type = typename Last<R...>::type; };

template <class T> __device__ std::decay_t<const T &> narrowed(int x) { return x; }

// [trait] The common type of `short` and `char` is `int`.
//~ race
__global__ void common_bad(int *g)
{
    g[threadIdx.x / Of<std::common_type_t<short, char>>::count] = threadIdx.x; //~ here
}

// That of two of `short` is `short`.
//~ race-free
__global__ void common_ok(int *g)
{
    g[threadIdx.x / Of<std::common_type_t<short, short>>::count] = threadIdx.x;
}

// [trait] What an iterator gives.
//~ race
__global__ void iterated_bad(int *g)
{
    g[threadIdx.x / Of<std::iterator_traits<int *>::value_type>::count] = threadIdx.x; //~ here
}

// What another gives.
//~ race-free
__global__ void iterated_ok(int *g)
{
    g[threadIdx.x / Of<std::iterator_traits<char *>::value_type>::count] = threadIdx.x;
}

// [trait] The element of an array.
//~ race
__global__ void extent_bad(int *g)
{
    g[threadIdx.x / Of<std::remove_extent_t<int[3]>>::count] = threadIdx.x; //~ here
}

// The array.
//~ race-free
__global__ void extent_ok(int *g)
{
    g[threadIdx.x / Of<std::add_pointer_t<int>>::count] = threadIdx.x;
}

// [trait] The type below an enumeration.
//~ race
__global__ void enumeration_bad(int *g)
{
    g[threadIdx.x / Of<std::underlying_type_t<Wide>>::count] = threadIdx.x; //~ here
}

// Another.
//~ race-free
__global__ void enumeration_ok(int *g)
{
    g[threadIdx.x / Of<std::underlying_type_t<Narrow>>::count] = threadIdx.x;
}

// [alias] Two names of one type.
//~ race
__global__ void half_names_bad(int *g)
{
    g[threadIdx.x / (std::is_same_v<half2, __half2> ? 2 : 1)] = threadIdx.x; //~ here
}

// Two types.
//~ race-free
__global__ void half_names_ok(int *g)
{
    g[threadIdx.x / (std::is_same_v<half2, __half> ? 2 : 1)] = threadIdx.x;
}

// [alias] A specialisation for the other name.
//~ race
__global__ void half_special_bad(int *g)
{
    g[threadIdx.x / Half<half2>::count] = threadIdx.x; //~ here
}

// For neither.
//~ race-free
__global__ void half_special_ok(int *g)
{
    g[threadIdx.x / Half<float2>::count] = threadIdx.x;
}

// [alias] `cuComplex` is `float2`.
//~ race
__global__ void complex_names_bad(int *g)
{
    g[threadIdx.x / Vector<cuComplex>::count] = threadIdx.x; //~ here
}

// `cuDoubleComplex` is not.
//~ race-free
__global__ void complex_names_ok(int *g)
{
    g[threadIdx.x / Vector<cuDoubleComplex>::count] = threadIdx.x;
}

// [library] An instance of a template of the library.
//~ race
__global__ void pair_special_bad(int *g)
{
    g[threadIdx.x / Member<std::pair<int, char>>::count] = threadIdx.x; //~ here
}

// Of another.
//~ race-free
__global__ void pair_special_ok(int *g)
{
    g[threadIdx.x / Member<int>::count] = threadIdx.x;
}

// [result] The root of an integer is a `double`.
//~ race
__global__ void result_bad(int *g)
{
    g[threadIdx.x / kind(sqrt(1))] = threadIdx.x; //~ here
}

// That of a `float` is none.
//~ race-free
__global__ void result_ok(int *g)
{
    g[threadIdx.x / kind(sqrtf(1.0f))] = threadIdx.x;
}

// [pack] The last of a list.
//~ race
__global__ void listed_bad(int *g)
{
    g[threadIdx.x / Of<typename Last<char, int>::type>::count] = threadIdx.x; //~ here
}

// [conversion] The upper bits are lost.
//~ race
__global__ void cast_bad(int *g)
{
    int x = static_cast<std::iterator_traits<unsigned char *>::value_type>(threadIdx.x + 256);
    if (x < 256) g[0] = threadIdx.x; //~ here
}

// They are kept.
//~ race-free
__global__ void cast_ok(int *g)
{
    int x = static_cast<std::iterator_traits<short *>::value_type>(threadIdx.x + 256);
    if (x < 256) g[0] = threadIdx.x;
}

// [conversion] The argument becomes a `char` first.
//~ race
__global__ void forwarded_bad(int *g)
{
    int x = std::forward<unsigned char>(threadIdx.x + 256);
    if (x < 256) g[0] = threadIdx.x; //~ here
}

// It stays what it is.
//~ race-free
__global__ void forwarded_ok(int *g)
{
    int x = std::forward<unsigned>(threadIdx.x + 256);
    if (x < 256) g[0] = threadIdx.x;
}

// [conversion] The type of a `char`.
//~ race
__global__ void typeof_bad(int *g)
{
    unsigned char q = 0;
    __typeof__(q) c = threadIdx.x + 256;
    int x = c;
    if (x < 256) g[0] = threadIdx.x; //~ here
}

// Of an `int`.
//~ race-free
__global__ void typeof_ok(int *g)
{
    int q = 0;
    __typeof__(q) c = threadIdx.x + 256;
    int x = c;
    if (x < 256) g[0] = threadIdx.x;
}

// [conversion] What a function returns.
//~ race
__global__ void returned_bad(int *g)
{
    int x = narrowed<unsigned char>(threadIdx.x + 256);
    if (x < 256) g[0] = threadIdx.x; //~ here
}

// What another returns.
//~ race-free
__global__ void returned_ok(int *g)
{
    int x = narrowed<unsigned short>(threadIdx.x + 256);
    if (x < 256) g[0] = threadIdx.x;
}
