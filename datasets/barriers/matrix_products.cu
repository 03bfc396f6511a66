//--blockDim=128 --gridDim=2
// Products of matrices by a warpgroup (wgmma): read from shared memory until the group is waited for.
#include <cstdint>

__device__ __forceinline__ uint64_t encoded(uint64_t x) { return (x & 0x3ffff) >> 4; }

// A tile of 64 rows of 128 bytes, with a swizzle of 128 bytes.
__device__ __forceinline__ uint64_t described(const void *tile)
{
    uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
    uint64_t all = encoded(address);
    all |= encoded(16) << 16;
    all |= encoded(1024) << 32;
    all |= 1ull << 62;
    return all;
}

__device__ __forceinline__ void multiply(float (&d)[4], uint64_t a, uint64_t b)
{
    asm volatile("{\n" //~ here
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;\n"
                 "}\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(b));
}

__device__ __forceinline__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
__device__ __forceinline__ void to_products() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Filled, fenced, multiplied, waited for, and filled again.
//~ race-free
__global__ void product_rounds_ok(const uint4 *in, float *out, int n)
{
    __shared__ __align__(1024) uint4 a[512];
    __shared__ __align__(1024) uint4 b[64];
    float d[4] = {0, 0, 0, 0};
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        for (int i = t; i < 512; i += 128) a[i] = in[k * 576 + i];
        if (t < 64) b[t] = in[k * 576 + 512 + t];
        to_products();
        __syncthreads();
        begin();
        multiply(d, described(a), described(b));
        commit();
        wait<0>();
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = d[0] + d[1] + d[2] + d[3];
}

// [no wait] The tile is filled again while the product may still read it.
//~ race potential
__global__ void product_no_wait_bad(const uint4 *in, float *out, int n)
{
    __shared__ __align__(1024) uint4 a[512];
    __shared__ __align__(1024) uint4 b[64];
    float d[4] = {0, 0, 0, 0};
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        for (int i = t; i < 512; i += 128) a[i] = in[k * 576 + i]; //~ here
        if (t < 64) b[t] = in[k * 576 + 512 + t];
        to_products();
        __syncthreads();
        begin();
        multiply(d, described(a), described(b));
        commit();
        __syncthreads();
    }
    wait<0>();
    out[blockIdx.x * 128 + t] = d[0] + d[1] + d[2] + d[3];
}

// [one too few] The wait leaves the last group under way.
//~ race potential
__global__ void product_one_left_bad(const uint4 *in, float *out, int n)
{
    __shared__ __align__(1024) uint4 a[512];
    __shared__ __align__(1024) uint4 b[64];
    float d[4] = {0, 0, 0, 0};
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        for (int i = t; i < 512; i += 128) a[i] = in[k * 576 + i]; //~ here
        if (t < 64) b[t] = in[k * 576 + 512 + t];
        to_products();
        __syncthreads();
        begin();
        multiply(d, described(a), described(b));
        commit();
        wait<1>();
        __syncthreads();
    }
    wait<0>();
    out[blockIdx.x * 128 + t] = d[0] + d[1] + d[2] + d[3];
}

// [missing barrier] A thread waits, and fills the tile while the other warps' products may read it.
//~ race potential
__global__ void product_no_barrier_bad(const uint4 *in, float *out, int n)
{
    __shared__ __align__(1024) uint4 a[512];
    __shared__ __align__(1024) uint4 b[64];
    float d[4] = {0, 0, 0, 0};
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        for (int i = t; i < 512; i += 128) a[i] = in[k * 576 + i]; //~ here
        if (t < 64) b[t] = in[k * 576 + 512 + t];
        to_products();
        __syncthreads();
        begin();
        multiply(d, described(a), described(b));
        commit();
        wait<0>();
    }
    out[blockIdx.x * 128 + t] = d[0] + d[1] + d[2] + d[3];
}

// [proxy fence] What the threads have stored need not be there for the asynchronous proxy.
//~ race potential
__global__ void product_no_fence_bad(const uint4 *in, float *out)
{
    __shared__ __align__(1024) uint4 a[512];
    __shared__ __align__(1024) uint4 b[64];
    float d[4] = {0, 0, 0, 0};
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 128) a[i] = in[i]; //~ here
    if (t < 64) b[t] = in[512 + t];
    __syncthreads();
    begin();
    multiply(d, described(a), described(b));
    commit();
    wait<0>();
    out[blockIdx.x * 128 + t] = d[0] + d[1] + d[2] + d[3];
}

// Two stages: the one that is filled is not the one that is read.
//~ race-free
__global__ void product_stages_ok(const uint4 *in, float *out)
{
    __shared__ __align__(1024) uint4 a[2][512];
    __shared__ __align__(1024) uint4 b[64];
    float d[4] = {0, 0, 0, 0};
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 128) a[0][i] = in[i];
    if (t < 64) b[t] = in[1024 + t];
    to_products();
    __syncthreads();
    begin();
    multiply(d, described(a[0]), described(b));
    commit();
    for (int i = t; i < 512; i += 128) a[1][i] = in[512 + i];
    to_products();
    __syncthreads();
    begin();
    multiply(d, described(a[1]), described(b));
    commit();
    wait<0>();
    out[blockIdx.x * 128 + t] = d[0] + d[1] + d[2] + d[3];
}

// [same stage] The first stage is filled again while it is read.
//~ race potential
__global__ void product_stages_bad(const uint4 *in, float *out)
{
    __shared__ __align__(1024) uint4 a[2][512];
    __shared__ __align__(1024) uint4 b[64];
    float d[4] = {0, 0, 0, 0};
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 128) a[0][i] = in[i];
    if (t < 64) b[t] = in[1024 + t];
    to_products();
    __syncthreads();
    begin();
    multiply(d, described(a[0]), described(b));
    commit();
    for (int i = t; i < 512; i += 128) a[0][i] = in[512 + i]; //~ here
    to_products();
    __syncthreads();
    begin();
    multiply(d, described(a[0]), described(b));
    commit();
    wait<0>();
    out[blockIdx.x * 128 + t] = d[0] + d[1] + d[2] + d[3];
}

// The descriptor is moved on along the rows: the products stay in their tiles.
//~ race-free
__global__ void product_steps_ok(const uint4 *in, float *out)
{
    __shared__ __align__(1024) uint4 tiles[2][512];
    __shared__ __align__(1024) uint4 b[64];
    float d[4] = {0, 0, 0, 0};
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 128) tiles[0][i] = in[i];
    if (t < 64) b[t] = in[1024 + t];
    to_products();
    __syncthreads();
    begin();
    multiply(d, described(tiles[0]), described(b));
    multiply(d, described(tiles[0]) + 2, described(b) + 2);
    commit();
    for (int i = t; i < 512; i += 128) tiles[1][i] = in[512 + i];
    wait<0>();
    out[blockIdx.x * 128 + t] = d[0] + d[1] + d[2] + d[3];
}
