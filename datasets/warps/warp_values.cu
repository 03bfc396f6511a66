//--blockDim=256 --gridDim=2
// Warps: a value that one lane stores for its warp

// Lane 0 stores an offset below 32, and all lanes add it.
//~ race-free
__global__ void warp_value_ok(const int *in)
{
    __shared__ int base[8];
    __shared__ int s[8 * 64];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) base[w] = in[blockIdx.x * 8 + w];
    __syncwarp();
    s[w * 64 + (base[w] & 31) + lane] = lane;
}

// [extent] The offset reaches the part of the next warp.
//~ race
__global__ void warp_value_wide_bad(const int *in)
{
    __shared__ int base[8];
    __shared__ int s[9 * 64];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) base[w] = in[blockIdx.x * 8 + w];
    __syncwarp();
    s[w * 64 + (base[w] & 63) + lane] = lane; //~ here
}

// The block's barrier orders it as well.
//~ race-free
__global__ void warp_value_block_ok(const int *in)
{
    __shared__ int base[8];
    __shared__ int s[8 * 64];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) base[w] = in[blockIdx.x * 8 + w] & 31;
    __syncthreads();
    s[w * 64 + base[w] + lane] = lane;
}

// [read-back] Behind another barrier a lane of another warp stores there.
//~ race
__global__ void warp_value_other_warp_bad()
{
    __shared__ int base[8];
    __shared__ int s[256];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) base[w] = w * 32;
    __syncthreads();
    if (lane == 1) base[w ^ 1] = 0;
    __syncthreads();
    s[base[w] + lane] = threadIdx.x; //~ here
}

// [read-back] Another lane of the warp stores there later.
//~ race
__global__ void warp_value_overwritten_bad()
{
    __shared__ int base[8];
    __shared__ int s[256];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) base[w] = w * 32;
    __syncwarp();
    if (lane == 3) base[w] = lane;
    __syncwarp();
    s[base[w] + lane] = threadIdx.x; //~ here
}

// [read-back] Two warps have one element.
//~ race
__global__ void warp_value_shared_bad()
{
    __shared__ int base[8];
    __shared__ int s[256];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) base[w / 2] = w * 32; //~ here
    __syncwarp();
    s[base[w / 2] + lane] = threadIdx.x; //~ here
}

// [read-back] Not every warp stores one.
//~ race
__global__ void warp_value_some_bad(int n)
{
    __shared__ int base[8];
    __shared__ int s[256];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0 && w < n) base[w] = w * 32;
    __syncwarp();
    s[base[w] + lane] = threadIdx.x; //~ here
}

// The warps that did read it.
//~ race-free
__global__ void warp_value_some_ok(int n)
{
    __shared__ int base[8];
    __shared__ int s[256];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0 && w < n) base[w] = w * 32;
    __syncwarp();
    if (w < n) s[base[w] + lane] = threadIdx.x;
}

// [read-back] It depends on memory whether lane 0 stores at all.
//~ race
__global__ void warp_value_loaded_bad(const int *in)
{
    __shared__ int base[8];
    __shared__ int s[256];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0 && in[threadIdx.x] > 0) base[w] = w * 32;
    __syncwarp();
    s[base[w] + lane] = threadIdx.x; //~ here
}

// [read-back] In a later iteration the element holds what was stored in the first.
//~ race
__global__ void warp_value_first_bad(int n)
{
    __shared__ int base[8];
    __shared__ int s[512];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < n; i++) {
        if (lane == 0 && i == 0) base[w] = w * 32;
        __syncwarp();
        s[base[w] + lane + i] = threadIdx.x; //~ here
        __syncwarp();
    }
}
