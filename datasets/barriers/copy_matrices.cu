//--blockDim=128 --gridDim=2
// Rows of matrices that one lane gives the address of (ldmatrix, stmatrix), beside asynchronous copies of them.
#include <cstdint>
#include <cuda_fp16.h>

__device__ uint32_t place_of(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void copy16(uint32_t place, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(place), "l"(from)); //~ here
}

__device__ void load4(uint32_t (&r)[4], uint32_t place)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n" //~ here
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(place));
}

// The block copies 4 tiles of 16 times 16, and each warp takes its neighbour's.
//~ race-free
__global__ void rows_ok(const half *in, uint32_t *out)
{
    __shared__ alignas(16) half s[4 * 256];
    int t = threadIdx.x, lane = t % 32, other = (t / 32 + 1) % 4;
    copy16(place_of(s) + t * 16, in + blockIdx.x * 1024 + t * 8);
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group 0;\n" ::);
    __syncthreads();
    uint32_t r[4];
    load4(r, place_of(s) + other * 512 + (lane % 16) * 32 + (lane / 16) * 16);
    for (int i = 0; i < 4; i++) out[(blockIdx.x * 128 + t) * 4 + i] = r[i];
}

// [copy] Without a barrier behind the wait.
//~ race
__global__ void rows_bad(const half *in, uint32_t *out)
{
    __shared__ alignas(16) half s[4 * 256];
    int t = threadIdx.x, lane = t % 32, other = (t / 32 + 1) % 4;
    copy16(place_of(s) + t * 16, in + blockIdx.x * 1024 + t * 8);
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group 0;\n" ::);
    uint32_t r[4];
    load4(r, place_of(s) + other * 512 + (lane % 16) * 32 + (lane / 16) * 16);
    for (int i = 0; i < 4; i++) out[(blockIdx.x * 128 + t) * 4 + i] = r[i];
}

// [warp] A warp takes its own tile, but a row that another lane has copied: the lanes meet, and no memory is ordered.
//~ race
__global__ void rows_of_warp_bad(const half *in, uint32_t *out)
{
    __shared__ alignas(16) half s[4 * 256];
    int t = threadIdx.x, lane = t % 32, own = t / 32;
    copy16(place_of(s) + t * 16, in + blockIdx.x * 1024 + t * 8);
    asm volatile("cp.async.wait_all;\n" ::);
    uint32_t r[4];
    load4(r, place_of(s) + own * 512 + (lane % 16) * 32 + (lane / 16) * 16);
    for (int i = 0; i < 4; i++) out[(blockIdx.x * 128 + t) * 4 + i] = r[i];
}

// With the barrier of the warp.
//~ race-free
__global__ void rows_of_warp_ok(const half *in, uint32_t *out)
{
    __shared__ alignas(16) half s[4 * 256];
    int t = threadIdx.x, lane = t % 32, own = t / 32;
    copy16(place_of(s) + t * 16, in + blockIdx.x * 1024 + t * 8);
    asm volatile("cp.async.wait_all;\n" ::);
    __syncwarp();
    uint32_t r[4];
    load4(r, place_of(s) + own * 512 + (lane % 16) * 32 + (lane / 16) * 16);
    for (int i = 0; i < 4; i++) out[(blockIdx.x * 128 + t) * 4 + i] = r[i];
}

// Two matrices: the addresses of the lanes from 16 on are not used, so that they may lead where another warp writes.
//~ race-free
__global__ void rows_unused_ok(const half *in, uint32_t *out)
{
    __shared__ alignas(16) half s[4 * 256];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = lane; i < 256; i += 32) s[warp * 256 + i] = in[i];
    __syncwarp();
    int tile = lane < 16 ? warp : (warp + 1) % 4;
    uint32_t a, b;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(a), "=r"(b)
                 : "r"(place_of(&s[tile * 256 + (lane % 16) * 16])));
    out[blockIdx.x * 128 + t] = a + b;
}

// [guard] Of four matrices they are.
//~ race
__global__ void rows_used_bad(const half *in, uint32_t *out)
{
    __shared__ alignas(16) half s[4 * 256];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = lane; i < 256; i += 32) s[warp * 256 + i] = in[i]; //~ here
    __syncwarp();
    int tile = lane < 16 ? warp : (warp + 1) % 4;
    uint32_t r[4];
    load4(r, place_of(&s[tile * 256 + (lane % 16) * 16]));
    for (int i = 0; i < 4; i++) out[(blockIdx.x * 128 + t) * 4 + i] = r[i];
}

// Rows that are stored, each once.
//~ race-free
__global__ void stored_rows_ok(uint32_t *out, uint32_t x)
{
    __shared__ alignas(16) half s[4 * 256];
    int t = threadIdx.x;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};\n" ::"r"(place_of(s) + t * 16),
                 "r"(x), "r"(x), "r"(x), "r"(x));
    __syncthreads();
    out[blockIdx.x * 128 + t] = reinterpret_cast<uint32_t *>(s)[511 - 4 * t];
}

// [index] Rows that overlap.
//~ race
__global__ void stored_rows_bad(uint32_t *out, uint32_t x)
{
    __shared__ alignas(16) half s[4 * 256];
    int t = threadIdx.x;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};\n" ::"r"(place_of(s) + t * 8), //~ here
                 "r"(x), "r"(x), "r"(x), "r"(x));
    __syncthreads();
    out[blockIdx.x * 128 + t] = reinterpret_cast<uint32_t *>(s)[511 - 4 * t];
}
