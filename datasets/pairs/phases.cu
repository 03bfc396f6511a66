//--blockDim=128 --gridDim=2
// Pairs before and after a fix: phases of warps and of the block, results in place, memory with two uses, locks

// [phases] The first warp clears the sums while the others already store theirs.
//~ race
__global__ void pair_clear_by_warp_bad(const float *g, float *out)
{
    __shared__ float sum[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t < 8) sum[t] = 0.0f; //~ here
    float x = g[blockIdx.x * 128 + t];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
    if (lane == 0) sum[warp] = x; //~ here
    __syncthreads();
    if (t < 8) out[blockIdx.x * 8 + t] = sum[t];
}

// After: a barrier of the block behind the clearing.
//~ race-free
__global__ void pair_clear_by_warp_ok(const float *g, float *out)
{
    __shared__ float sum[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t < 8) sum[t] = 0.0f;
    __syncthreads();
    float x = g[blockIdx.x * 128 + t];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
    if (lane == 0) sum[warp] = x;
    __syncthreads();
    if (t < 8) out[blockIdx.x * 8 + t] = sum[t];
}

// [phases] The warps combine their sums when only the own warp has been waited for.
//~ race
__global__ void pair_warp_then_block_bad(const float *g, float *out)
{
    __shared__ float sum[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float x = g[blockIdx.x * 128 + t];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
    if (lane == 0) sum[warp] = x; //~ here
    __syncwarp();
    if (warp == 0 && lane < 4) out[blockIdx.x * 4 + lane] = sum[lane]; //~ here
}

// After: the block is waited for.
//~ race-free
__global__ void pair_warp_then_block_ok(const float *g, float *out)
{
    __shared__ float sum[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float x = g[blockIdx.x * 128 + t];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
    if (lane == 0) sum[warp] = x;
    __syncthreads();
    if (warp == 0 && lane < 4) out[blockIdx.x * 4 + lane] = sum[lane];
}

// [in-place] The row is smoothed in place: the left neighbour is new or old as it happens.
//~ race
__global__ void pair_smooth_in_place_bad(float *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    g[i + 1] = (g[i] + g[i + 2]) * 0.5f; //~ here
}

// After: into another array.
//~ race-free
__global__ void pair_smooth_in_place_ok(const float *g, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + 1] = (g[i] + g[i + 2]) * 0.5f;
}

// [in-place] Thread 0 sums up the block's part while the others scale it.
//~ race
__global__ void pair_sum_and_scale_bad(float *g, float *sums)
{
    int t = threadIdx.x, base = blockIdx.x * 128;
    if (t == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 128; k++) sum += g[base + k]; //~ here
        sums[blockIdx.x] = sum;
    }
    g[base + t] *= 2.0f; //~ here
}

// After: scaled when the sum is there.
//~ race-free
__global__ void pair_sum_and_scale_ok(float *g, float *sums)
{
    int t = threadIdx.x, base = blockIdx.x * 128;
    if (t == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 128; k++) sum += g[base + k];
        sums[blockIdx.x] = sum;
    }
    __syncthreads();
    g[base + t] *= 2.0f;
}

union Scratch {
    float keys[128];
    int ranks[128];
};

// [union] The ranks are stored over keys that others still compare.
//~ race
__global__ void pair_union_bad(const float *g, int *out)
{
    __shared__ Scratch s;
    int t = threadIdx.x, i = blockIdx.x * 128 + t, rank = 0;
    s.keys[t] = g[i];
    __syncthreads();
    for (int k = 0; k < 128; k++) rank += s.keys[k] < g[i]; //~ here
    s.ranks[t] = rank; //~ here
    __syncthreads();
    out[i] = s.ranks[127 - t];
}

// After: all have compared before the memory changes its use.
//~ race-free
__global__ void pair_union_ok(const float *g, int *out)
{
    __shared__ Scratch s;
    int t = threadIdx.x, i = blockIdx.x * 128 + t, rank = 0;
    s.keys[t] = g[i];
    __syncthreads();
    for (int k = 0; k < 128; k++) rank += s.keys[k] < g[i];
    __syncthreads();
    s.ranks[t] = rank;
    __syncthreads();
    out[i] = s.ranks[127 - t];
}

// [lock] Thread 0 takes the lock for its block, and nobody waits for thread 0.
//~ race
__global__ void pair_lock_bad(int *lock, int *total)
{
    int t = threadIdx.x;
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    total[t] += t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(lock, 0);
}

// After: a barrier behind the taking of the lock.
//~ race-free
__global__ void pair_lock_ok(int *lock, int *total)
{
    int t = threadIdx.x;
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    total[t] += t;
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(lock, 0);
}

// [counter] A slot of a list is found by a plain increment.
//~ race
__global__ void pair_append_bad(const int *g, int *list)
{
    __shared__ int used;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0) used = 0;
    __syncthreads();
    if (g[i] > 0) {
        int slot = used++; //~ here
        list[blockIdx.x * 128 + slot] = i; //~ here
    }
}

// After: by an atomic one.
//~ race-free
__global__ void pair_append_ok(const int *g, int *list)
{
    __shared__ int used;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0) used = 0;
    __syncthreads();
    if (g[i] > 0) {
        int slot = atomicAdd(&used, 1);
        list[blockIdx.x * 128 + slot] = i;
    }
}

// [sum] Blocks add into one result.
//~ race
__global__ void pair_block_total_bad(const int *g, int *total)
{
    int t = threadIdx.x, sum = 0;
    for (int k = blockIdx.x * 128; k < blockIdx.x * 128 + 128; k++) sum += g[k];
    if (t == 0) total[0] += sum; //~ here
}

// After: atomically.
//~ race-free
__global__ void pair_block_total_ok(const int *g, int *total)
{
    int t = threadIdx.x, sum = 0;
    for (int k = blockIdx.x * 128; k < blockIdx.x * 128 + 128; k++) sum += g[k];
    if (t == 0) atomicAdd(&total[0], sum);
}

// [overlap] Each thread copies one element too many.
//~ race
__global__ void pair_copy_chunk_bad(const int *g, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k <= 4; k++) out[i * 4 + k] = g[i * 5 + k]; //~ here
}

// After: its own four.
//~ race-free
__global__ void pair_copy_chunk_ok(const int *g, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++) out[i * 4 + k] = g[i * 5 + k];
}
