// Stands in for `helper_math.h` of the CUDA samples where it was not found. Operators go member by member without it.
#ifndef WARPLOG_HELPER_MATH
#define WARPLOG_HELPER_MATH
inline __host__ __device__ float2 make_float2(float s) { return make_float2(s, s); }
inline __host__ __device__ float2 make_float2(int2 v) { return make_float2((float)v.x, (float)v.y); }
inline __host__ __device__ float2 make_float2(uint2 v) { return make_float2((float)v.x, (float)v.y); }
inline __host__ __device__ float2 make_float2(float3 v) { return make_float2(v.x, v.y); }
inline __host__ __device__ float2 fminf(float2 a, float2 b) { return make_float2(fminf(a.x, b.x), fminf(a.y, b.y)); }
inline __host__ __device__ float2 fmaxf(float2 a, float2 b) { return make_float2(fmaxf(a.x, b.x), fmaxf(a.y, b.y)); }
inline __host__ __device__ float2 clamp(float2 v, float low, float high) { return make_float2(fmaxf(low, fminf(v.x, high)), fmaxf(low, fminf(v.y, high))); }
inline __host__ __device__ float2 clamp(float2 v, float2 low, float2 high) { return make_float2(fmaxf(low.x, fminf(v.x, high.x)), fmaxf(low.y, fminf(v.y, high.y))); }
inline __host__ __device__ float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
inline __host__ __device__ float2 floorf(float2 v) { return make_float2(floorf(v.x), floorf(v.y)); }
inline __host__ __device__ float2 fabs(float2 v) { return make_float2(fabsf(v.x), fabsf(v.y)); }
inline __host__ __device__ float2 fracf(float2 v) { return make_float2((v.x - floorf(v.x)), (v.y - floorf(v.y))); }
inline __host__ __device__ float2 fmodf(float2 a, float2 b) { return make_float2(fmodf(a.x, b.x), fmodf(a.y, b.y)); }
inline __host__ __device__ float2 lerp(float2 a, float2 b, float t) { return make_float2(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)); }
inline __host__ __device__ float length(float2 v) { return sqrtf(dot(v, v)); }
inline __host__ __device__ float2 normalize(float2 v) { return make_float2(v.x * rsqrtf(dot(v, v)), v.y * rsqrtf(dot(v, v))); }
inline __host__ __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
inline __host__ __device__ float3 make_float3(int3 v) { return make_float3((float)v.x, (float)v.y, (float)v.z); }
inline __host__ __device__ float3 make_float3(uint3 v) { return make_float3((float)v.x, (float)v.y, (float)v.z); }
inline __host__ __device__ float3 make_float3(float2 v) { return make_float3(v.x, v.y, 0); }
inline __host__ __device__ float3 make_float3(float2 v, float z) { return make_float3(v.x, v.y, z); }
inline __host__ __device__ float3 make_float3(float4 v) { return make_float3(v.x, v.y, v.z); }
inline __host__ __device__ float3 fminf(float3 a, float3 b) { return make_float3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)); }
inline __host__ __device__ float3 fmaxf(float3 a, float3 b) { return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)); }
inline __host__ __device__ float3 clamp(float3 v, float low, float high) { return make_float3(fmaxf(low, fminf(v.x, high)), fmaxf(low, fminf(v.y, high)), fmaxf(low, fminf(v.z, high))); }
inline __host__ __device__ float3 clamp(float3 v, float3 low, float3 high) { return make_float3(fmaxf(low.x, fminf(v.x, high.x)), fmaxf(low.y, fminf(v.y, high.y)), fmaxf(low.z, fminf(v.z, high.z))); }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ float3 floorf(float3 v) { return make_float3(floorf(v.x), floorf(v.y), floorf(v.z)); }
inline __host__ __device__ float3 fabs(float3 v) { return make_float3(fabsf(v.x), fabsf(v.y), fabsf(v.z)); }
inline __host__ __device__ float3 fracf(float3 v) { return make_float3((v.x - floorf(v.x)), (v.y - floorf(v.y)), (v.z - floorf(v.z))); }
inline __host__ __device__ float3 fmodf(float3 a, float3 b) { return make_float3(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z)); }
inline __host__ __device__ float3 lerp(float3 a, float3 b, float t) { return make_float3(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)); }
inline __host__ __device__ float length(float3 v) { return sqrtf(dot(v, v)); }
inline __host__ __device__ float3 normalize(float3 v) { return make_float3(v.x * rsqrtf(dot(v, v)), v.y * rsqrtf(dot(v, v)), v.z * rsqrtf(dot(v, v))); }
inline __host__ __device__ float4 make_float4(float s) { return make_float4(s, s, s, s); }
inline __host__ __device__ float4 make_float4(int4 v) { return make_float4((float)v.x, (float)v.y, (float)v.z, (float)v.w); }
inline __host__ __device__ float4 make_float4(uint4 v) { return make_float4((float)v.x, (float)v.y, (float)v.z, (float)v.w); }
inline __host__ __device__ float4 make_float4(float3 v) { return make_float4(v.x, v.y, v.z, 0); }
inline __host__ __device__ float4 make_float4(float3 v, float w) { return make_float4(v.x, v.y, v.z, w); }
inline __host__ __device__ float4 fminf(float4 a, float4 b) { return make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w)); }
inline __host__ __device__ float4 fmaxf(float4 a, float4 b) { return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)); }
inline __host__ __device__ float4 clamp(float4 v, float low, float high) { return make_float4(fmaxf(low, fminf(v.x, high)), fmaxf(low, fminf(v.y, high)), fmaxf(low, fminf(v.z, high)), fmaxf(low, fminf(v.w, high))); }
inline __host__ __device__ float4 clamp(float4 v, float4 low, float4 high) { return make_float4(fmaxf(low.x, fminf(v.x, high.x)), fmaxf(low.y, fminf(v.y, high.y)), fmaxf(low.z, fminf(v.z, high.z)), fmaxf(low.w, fminf(v.w, high.w))); }
inline __host__ __device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline __host__ __device__ float4 floorf(float4 v) { return make_float4(floorf(v.x), floorf(v.y), floorf(v.z), floorf(v.w)); }
inline __host__ __device__ float4 fabs(float4 v) { return make_float4(fabsf(v.x), fabsf(v.y), fabsf(v.z), fabsf(v.w)); }
inline __host__ __device__ float4 fracf(float4 v) { return make_float4((v.x - floorf(v.x)), (v.y - floorf(v.y)), (v.z - floorf(v.z)), (v.w - floorf(v.w))); }
inline __host__ __device__ float4 fmodf(float4 a, float4 b) { return make_float4(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z), fmodf(a.w, b.w)); }
inline __host__ __device__ float4 lerp(float4 a, float4 b, float t) { return make_float4(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z), a.w + t * (b.w - a.w)); }
inline __host__ __device__ float length(float4 v) { return sqrtf(dot(v, v)); }
inline __host__ __device__ float4 normalize(float4 v) { return make_float4(v.x * rsqrtf(dot(v, v)), v.y * rsqrtf(dot(v, v)), v.z * rsqrtf(dot(v, v)), v.w * rsqrtf(dot(v, v))); }
inline __host__ __device__ int2 make_int2(int s) { return make_int2(s, s); }
inline __host__ __device__ int2 make_int2(float2 v) { return make_int2((int)v.x, (int)v.y); }
inline __host__ __device__ int2 make_int2(uint2 v) { return make_int2((int)v.x, (int)v.y); }
inline __host__ __device__ int2 make_int2(int3 v) { return make_int2(v.x, v.y); }
inline __host__ __device__ int2 min(int2 a, int2 b) { return make_int2(min(a.x, b.x), min(a.y, b.y)); }
inline __host__ __device__ int2 max(int2 a, int2 b) { return make_int2(max(a.x, b.x), max(a.y, b.y)); }
inline __host__ __device__ int2 clamp(int2 v, int low, int high) { return make_int2(max(low, min(v.x, high)), max(low, min(v.y, high))); }
inline __host__ __device__ int2 clamp(int2 v, int2 low, int2 high) { return make_int2(max(low.x, min(v.x, high.x)), max(low.y, min(v.y, high.y))); }
inline __host__ __device__ int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }
inline __host__ __device__ int3 make_int3(int s) { return make_int3(s, s, s); }
inline __host__ __device__ int3 make_int3(float3 v) { return make_int3((int)v.x, (int)v.y, (int)v.z); }
inline __host__ __device__ int3 make_int3(uint3 v) { return make_int3((int)v.x, (int)v.y, (int)v.z); }
inline __host__ __device__ int3 make_int3(int2 v) { return make_int3(v.x, v.y, 0); }
inline __host__ __device__ int3 make_int3(int2 v, int z) { return make_int3(v.x, v.y, z); }
inline __host__ __device__ int3 make_int3(int4 v) { return make_int3(v.x, v.y, v.z); }
inline __host__ __device__ int3 min(int3 a, int3 b) { return make_int3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }
inline __host__ __device__ int3 max(int3 a, int3 b) { return make_int3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)); }
inline __host__ __device__ int3 clamp(int3 v, int low, int high) { return make_int3(max(low, min(v.x, high)), max(low, min(v.y, high)), max(low, min(v.z, high))); }
inline __host__ __device__ int3 clamp(int3 v, int3 low, int3 high) { return make_int3(max(low.x, min(v.x, high.x)), max(low.y, min(v.y, high.y)), max(low.z, min(v.z, high.z))); }
inline __host__ __device__ int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ int4 make_int4(int s) { return make_int4(s, s, s, s); }
inline __host__ __device__ int4 make_int4(float4 v) { return make_int4((int)v.x, (int)v.y, (int)v.z, (int)v.w); }
inline __host__ __device__ int4 make_int4(uint4 v) { return make_int4((int)v.x, (int)v.y, (int)v.z, (int)v.w); }
inline __host__ __device__ int4 make_int4(int3 v) { return make_int4(v.x, v.y, v.z, 0); }
inline __host__ __device__ int4 make_int4(int3 v, int w) { return make_int4(v.x, v.y, v.z, w); }
inline __host__ __device__ int4 min(int4 a, int4 b) { return make_int4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
inline __host__ __device__ int4 max(int4 a, int4 b) { return make_int4(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
inline __host__ __device__ int4 clamp(int4 v, int low, int high) { return make_int4(max(low, min(v.x, high)), max(low, min(v.y, high)), max(low, min(v.z, high)), max(low, min(v.w, high))); }
inline __host__ __device__ int4 clamp(int4 v, int4 low, int4 high) { return make_int4(max(low.x, min(v.x, high.x)), max(low.y, min(v.y, high.y)), max(low.z, min(v.z, high.z)), max(low.w, min(v.w, high.w))); }
inline __host__ __device__ int dot(int4 a, int4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline __host__ __device__ uint2 make_uint2(unsigned int s) { return make_uint2(s, s); }
inline __host__ __device__ uint2 make_uint2(float2 v) { return make_uint2((unsigned int)v.x, (unsigned int)v.y); }
inline __host__ __device__ uint2 make_uint2(int2 v) { return make_uint2((unsigned int)v.x, (unsigned int)v.y); }
inline __host__ __device__ uint2 make_uint2(uint3 v) { return make_uint2(v.x, v.y); }
inline __host__ __device__ uint2 min(uint2 a, uint2 b) { return make_uint2(min(a.x, b.x), min(a.y, b.y)); }
inline __host__ __device__ uint2 max(uint2 a, uint2 b) { return make_uint2(max(a.x, b.x), max(a.y, b.y)); }
inline __host__ __device__ uint2 clamp(uint2 v, unsigned int low, unsigned int high) { return make_uint2(max(low, min(v.x, high)), max(low, min(v.y, high))); }
inline __host__ __device__ uint2 clamp(uint2 v, uint2 low, uint2 high) { return make_uint2(max(low.x, min(v.x, high.x)), max(low.y, min(v.y, high.y))); }
inline __host__ __device__ unsigned int dot(uint2 a, uint2 b) { return a.x * b.x + a.y * b.y; }
inline __host__ __device__ uint3 make_uint3(unsigned int s) { return make_uint3(s, s, s); }
inline __host__ __device__ uint3 make_uint3(float3 v) { return make_uint3((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z); }
inline __host__ __device__ uint3 make_uint3(int3 v) { return make_uint3((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z); }
inline __host__ __device__ uint3 make_uint3(uint2 v) { return make_uint3(v.x, v.y, 0); }
inline __host__ __device__ uint3 make_uint3(uint2 v, unsigned int z) { return make_uint3(v.x, v.y, z); }
inline __host__ __device__ uint3 make_uint3(uint4 v) { return make_uint3(v.x, v.y, v.z); }
inline __host__ __device__ uint3 min(uint3 a, uint3 b) { return make_uint3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }
inline __host__ __device__ uint3 max(uint3 a, uint3 b) { return make_uint3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)); }
inline __host__ __device__ uint3 clamp(uint3 v, unsigned int low, unsigned int high) { return make_uint3(max(low, min(v.x, high)), max(low, min(v.y, high)), max(low, min(v.z, high))); }
inline __host__ __device__ uint3 clamp(uint3 v, uint3 low, uint3 high) { return make_uint3(max(low.x, min(v.x, high.x)), max(low.y, min(v.y, high.y)), max(low.z, min(v.z, high.z))); }
inline __host__ __device__ unsigned int dot(uint3 a, uint3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ uint4 make_uint4(unsigned int s) { return make_uint4(s, s, s, s); }
inline __host__ __device__ uint4 make_uint4(float4 v) { return make_uint4((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z, (unsigned int)v.w); }
inline __host__ __device__ uint4 make_uint4(int4 v) { return make_uint4((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z, (unsigned int)v.w); }
inline __host__ __device__ uint4 make_uint4(uint3 v) { return make_uint4(v.x, v.y, v.z, 0); }
inline __host__ __device__ uint4 make_uint4(uint3 v, unsigned int w) { return make_uint4(v.x, v.y, v.z, w); }
inline __host__ __device__ uint4 min(uint4 a, uint4 b) { return make_uint4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
inline __host__ __device__ uint4 max(uint4 a, uint4 b) { return make_uint4(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
inline __host__ __device__ uint4 clamp(uint4 v, unsigned int low, unsigned int high) { return make_uint4(max(low, min(v.x, high)), max(low, min(v.y, high)), max(low, min(v.z, high)), max(low, min(v.w, high))); }
inline __host__ __device__ uint4 clamp(uint4 v, uint4 low, uint4 high) { return make_uint4(max(low.x, min(v.x, high.x)), max(low.y, min(v.y, high.y)), max(low.z, min(v.z, high.z)), max(low.w, min(v.w, high.w))); }
inline __host__ __device__ unsigned int dot(uint4 a, uint4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline __host__ __device__ float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
inline __host__ __device__ float3 reflect(float3 i, float3 n) { float d = 2.0f * dot(n, i); return make_float3(i.x - d * n.x, i.y - d * n.y, i.z - d * n.z); }
inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __host__ __device__ float clamp(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }
inline __host__ __device__ int clamp(int v, int low, int high) { return max(low, min(v, high)); }
inline __host__ __device__ unsigned int clamp(unsigned int v, unsigned int low, unsigned int high) { return max(low, min(v, high)); }
#endif
