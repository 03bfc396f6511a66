//--blockDim=64 --gridDim=4
// Construct: functions and macros of headers that are not there: helper_math.h of the samples, CUTLASS
#include <helper_math.h>
#include "cutlass/cutlass.h"

CUTLASS_HOST_DEVICE float3 bent(float3 a, float3 b)
{
    float3 c = normalize(cross(a, b)) * dot(a, b) + lerp(a, b, 0.5f) - reflect(a, b);
    c += clamp(fminf(a, b), 0.f, 1.f) + fmaxf(a, make_float3(make_float4(b, 1.f)));
    return c / length(a);
}

// A vector for each thread.
//~ race-free
__global__ void bent_ok(const float3 *in, float3 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    CUTLASS_PRAGMA_UNROLL
    for (int k = 0; k < 4; k++) out[i * 4 + k] = bent(in[i], make_float3(k));
}

// [index] Neighbours share a vector.
//~ race
__global__ void bent_bad(const float3 *in, float3 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    CUTLASS_PRAGMA_UNROLL
    for (int k = 0; k < 5; k++) out[i * 4 + k] = bent(in[i], make_float3(k)); //~ here
}

// Numbers of vectors make an index.
//~ race-free
__global__ void clamped_ok(int *out)
{
    int2 place = clamp(make_int2(threadIdx.x, blockIdx.x), make_int2(0), make_int2(63, 3));
    out[place.y * 64 + place.x] = 1;
}

// [index] Cut at 31.
//~ race
__global__ void clamped_bad(int *out)
{
    int2 place = clamp(make_int2(threadIdx.x, blockIdx.x), make_int2(0), make_int2(31, 3));
    out[place.y * 64 + place.x] = threadIdx.x; //~ here
}
