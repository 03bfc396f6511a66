//--blockDim=64 --gridDim=4
// Trap: false alarm on results of atomicAdd used as distinct slots

// Each execution of the atomic gives another number.
//~ race-free
__global__ void atomic_slots_ok(const int *g, int *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (g[i] > 0) {
        int k = atomicAdd(count, 1);
        out[k] = i;
    }
}

// [atomic-slot] The counter is shared: it is distinct within the block, and every block starts at 0.
//~ race
__global__ void atomic_slots_per_block_bad(const int *g, int *out)
{
    __shared__ int count;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (g[i] > 0) {
        int k = atomicAdd(&count, 1);
        out[k] = i; //~ here
    }
}

// A row per block makes the block's slots distinct.
//~ race-free
__global__ void atomic_slots_per_block_ok(const int *g, int *out)
{
    __shared__ int count;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (g[i] > 0) {
        int k = atomicAdd(&count, 1);
        out[blockIdx.x * 64 + k] = i;
    }
}

// [atomic-slot] Two slots are used, one was reserved.
//~ race
__global__ void atomic_slots_pair_bad(const int *g, int *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (g[i] > 0) {
        int k = atomicAdd(count, 1);
        out[k] = i; //~ here
        out[k + 1] = -i; //~ here
    }
}

// [atomic-slot] atomicInc wraps at 15: the sixteen slots come round again.
//~ race
__global__ void atomic_slots_wrap_bad(unsigned *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[atomicInc(count, 15)] = i; //~ here
}

// [atomic-slot] A step of zero hands out one slot to all.
//~ race
__global__ void atomic_slots_zero_bad(int *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[atomicAdd(count, 0)] = i; //~ here
}

// [atomic-slot] The counter is reset while slots are handed out.
//~ race
__global__ void atomic_slots_reset_bad(int *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = atomicAdd(count, 1);
    if (k == 100) atomicExch(count, 0);
    out[k] = i; //~ here
}
