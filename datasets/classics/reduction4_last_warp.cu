//--blockDim=256 --gridDim=4
// Tree reduction, version 4: the last warp is unrolled and has no barriers.

// Without barriers the lanes are independent: lane t reads t + 16 while lane t + 16, still one
// statement behind or ahead, writes it. Pointer not even volatile.
//~ race
__global__ void reduce4_last_warp_bad(const float *in, float *out)
{
    __shared__ float sum4[256];
    unsigned int tid = threadIdx.x;
    sum4[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (unsigned int s = 128; s > 32; s >>= 1) {
        if (tid < s) sum4[tid] += sum4[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        sum4[tid] += sum4[tid + 32]; //~ here
        sum4[tid] += sum4[tid + 16]; //~ here
        sum4[tid] += sum4[tid + 8]; //~ here
        sum4[tid] += sum4[tid + 4]; //~ here
        sum4[tid] += sum4[tid + 2]; //~ here
        sum4[tid] += sum4[tid + 1]; //~ here
    }
    if (tid == 0) out[blockIdx.x] = sum4[0];
}

// Volatile forces each access but orders nothing between lanes that run independently.
//~ race
__global__ void reduce4_last_warp_volatile_bad(const float *in, float *out)
{
    __shared__ float sum4v[256];
    unsigned int tid = threadIdx.x;
    sum4v[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (unsigned int s = 128; s > 32; s >>= 1) {
        if (tid < s) sum4v[tid] += sum4v[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        volatile float *v = sum4v;
        v[tid] += v[tid + 32]; //~ here
        v[tid] += v[tid + 16]; //~ here
        v[tid] += v[tid + 8]; //~ here
        v[tid] += v[tid + 4]; //~ here
        v[tid] += v[tid + 2]; //~ here
        v[tid] += v[tid + 1]; //~ here
    }
    if (tid == 0) out[blockIdx.x] = sum4v[0];
}

// A warp barrier after each statement is not enough: read and write of one statement are still
// in different lanes (t reads t + 16, lane t + 16 writes it). The first step alone is clean,
// it reads [32, 64) and writes [0, 32).
//~ race
__global__ void reduce4_last_warp_half_synced_bad(const float *in, float *out)
{
    __shared__ float sum4h[256];
    unsigned int tid = threadIdx.x;
    sum4h[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (unsigned int s = 128; s > 32; s >>= 1) {
        if (tid < s) sum4h[tid] += sum4h[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        sum4h[tid] += sum4h[tid + 32];
        __syncwarp();
        sum4h[tid] += sum4h[tid + 16]; //~ here
        __syncwarp();
        sum4h[tid] += sum4h[tid + 8]; //~ here
        __syncwarp();
        sum4h[tid] += sum4h[tid + 4]; //~ here
        __syncwarp();
        sum4h[tid] += sum4h[tid + 2]; //~ here
        __syncwarp();
        sum4h[tid] += sum4h[tid + 1]; //~ here
    }
    if (tid == 0) out[blockIdx.x] = sum4h[0];
}

// Read, warp barrier, write, warp barrier: the whole warp 0 takes part in each of them.
//~ race-free
__global__ void reduce4_last_warp_syncwarp_ok(const float *in, float *out)
{
    __shared__ float sum4w[256];
    unsigned int tid = threadIdx.x;
    sum4w[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (unsigned int s = 128; s > 32; s >>= 1) {
        if (tid < s) sum4w[tid] += sum4w[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        float x = sum4w[tid] + sum4w[tid + 32];
        __syncwarp();
        sum4w[tid] = x;
        __syncwarp();
        x += sum4w[tid + 16];
        __syncwarp();
        sum4w[tid] = x;
        __syncwarp();
        x += sum4w[tid + 8];
        __syncwarp();
        sum4w[tid] = x;
        __syncwarp();
        x += sum4w[tid + 4];
        __syncwarp();
        sum4w[tid] = x;
        __syncwarp();
        x += sum4w[tid + 2];
        __syncwarp();
        sum4w[tid] = x;
        __syncwarp();
        x += sum4w[tid + 1];
        if (tid == 0) out[blockIdx.x] = x;
    }
}

// The guard of each step leaves only the lower half writing, so what a step reads beyond it is
// not written in that step; one warp barrier per step suffices.
//~ race-free
__global__ void reduce4_last_warp_guarded_ok(const float *in, float *out)
{
    __shared__ float sum4g[256];
    unsigned int tid = threadIdx.x;
    sum4g[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (unsigned int s = 128; s > 32; s >>= 1) {
        if (tid < s) sum4g[tid] += sum4g[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        for (unsigned int s = 32; s > 0; s >>= 1) {
            if (tid < s) sum4g[tid] += sum4g[tid + s];
            __syncwarp();
        }
    }
    if (tid == 0) out[blockIdx.x] = sum4g[0];
}
