//--blockDim=64 --gridDim=1
// Construct: half and bfloat16 numbers and their pairs
#include <cuda_fp16.h>
#include <cuda_bf16.h>

// Two bytes each.
//~ race-free
__global__ void library_half_ok(__half *a, const float *b)
{
    int t = threadIdx.x;
    a[t] = __hadd(a[t], __float2half(b[t]));
}

// [index] The neighbour's.
//~ race
__global__ void library_half_bad(__half *a, const float *b)
{
    int t = threadIdx.x;
    a[t] = __hadd(a[t + 1], __float2half(b[t])); //~ here
}

// A pair is four bytes: two numbers of the same array.
//~ race-free
__global__ void library_half2_ok(half *a)
{
    int t = threadIdx.x;
    half2 *pairs = (half2 *)a;
    half2 v = pairs[t];
    pairs[t] = __hfma2(v, v, __float2half2_rn(1.0f));
    __syncthreads();
    a[t] = __low2half(v);
}

// [width] A number overlaps the pair of another thread.
//~ race
__global__ void library_half2_bad(half *a)
{
    int t = threadIdx.x;
    half2 *pairs = (half2 *)a;
    pairs[t] = __halves2half2(a[2 * t], a[2 * t + 1]); //~ here
    a[t] = __float2half(2.0f); //~ here
}

// Members of a pair are apart.
//~ race-free
__global__ void library_half2_members_ok(half2 *a)
{
    int t = threadIdx.x;
    if (t % 2) a[t / 2].x = __int2half_rn(t);
    else a[t / 2].y = __int2half_rn(t);
}

// [index] Not when all write the same one.
//~ race
__global__ void library_half2_members_bad(half2 *a)
{
    int t = threadIdx.x;
    a[t / 2].x = __int2half_rn(t); //~ here
}

//~ race-free
__global__ void library_bfloat_ok(__nv_bfloat162 *a, float2 *b)
{
    int t = threadIdx.x;
    b[t] = __bfloat1622float2(a[t]);
    a[t] = __float22bfloat162_rn(b[t]);
}

// [index] Written by all.
//~ race
__global__ void library_bfloat_bad(__nv_bfloat16 *a)
{
    int t = threadIdx.x;
    a[0] = __float2bfloat16((float)t); //~ here
}
