//--blockDim=64 --gridDim=1
// Construct: functions of the unit with the names of library functions

__device__ int min(int a, int b, int c)
{
    return a < b ? (a < c ? a : c) : (b < c ? b : c);
}

__device__ float4 make_float4(float v)
{
    return make_float4(v, v, v, v);
}

__device__ float4 fmaxf(float4 a, float4 b)
{
    return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
}

// It has nothing to do with the library's.
__device__ int __popc(int v)
{
    return v + 1;
}

namespace other {
__device__ int abs(int v)
{
    return v / 2;
}
}

// Two arguments: the library's minimum, though the unit has one of three.
//~ race-free
__global__ void own_overload_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[min(t, 63)] = t;
}

// [index] Three arguments: the unit's.
//~ race
__global__ void own_overload_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[min(t, 63, 5)] = t; //~ here
}

// The unit's own function hides the library's.
//~ race-free
__global__ void own_hides_ok()
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[__popc(t)] = t;
}

// [index] One in another namespace does not.
//~ race
__global__ void own_namespace_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[abs(t - 32)] = t; //~ here
}

// The library's again: thread 4 and thread 5 keep apart, as by the other they would not.
//~ race-free
__global__ void own_namespace_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[abs(t)] = t;
}

namespace around {
inline namespace newest {
__device__ int max(int a, int b)
{
    return a / 2 + b * 0;
}
}

__device__ int __clz(int v)
{
    return v / 2;
}

// [index] Those of an inline namespace are those of the one around it.
//~ race
__global__ void own_inline_namespace_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[max(t, 0)] = t; //~ here
}
}

// Outside of it, the library's.
//~ race-free
__global__ void own_inline_namespace_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[max(t, 0)] = t;
}

using around::__clz;

// [index] A declaration brings it here.
//~ race
__global__ void own_using_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[__clz(t)] = t; //~ here
}

// Vectors through the unit's overloads, each thread its own.
//~ race-free
__global__ void own_vector_ok(float4 *a)
{
    int t = threadIdx.x;
    a[t] = fmaxf(a[t], make_float4(0.5f));
}

// [index] Neighbours share an element.
//~ race
__global__ void own_vector_bad(float4 *a)
{
    int t = threadIdx.x;
    a[t / 2] = fmaxf(a[t / 2], make_float4(0.5f)); //~ here
}
