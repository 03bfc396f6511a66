//--blockDim=64 --gridDim=4
// Locks and tickets: what is not shown to exclude or to order is a race; without the fence nothing is protected.
__device__ unsigned int done = 0;
__device__ int mutex = 0;

// [fence] Every thread takes the lock by itself; the access is within, but no fence stands before it.
//~ race
__global__ void lock_per_thread(int *sum)
{
    bool waiting = true;
    while (waiting) {
        if (atomicCAS(&mutex, 0, 1) == 0) {
            sum[0] += threadIdx.x; //~ here
            __threadfence();
            atomicExch(&mutex, 0);
            waiting = false;
        }
    }
}

// [lock] Without the fence the next owner may not see the sum.
//~ race
__global__ void lock_per_thread_bad(int *sum)
{
    bool waiting = true;
    while (waiting) {
        if (atomicCAS(&mutex, 0, 1) == 0) {
            sum[0] += threadIdx.x; //~ here
            atomicExch(&mutex, 0);
            waiting = false;
        }
    }
}

// One thread a block takes the lock and works alone.
//~ race-free
__global__ void lock_leader(int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&mutex, 0, 1) != 0) { }
        __threadfence();
        sum[0] += blockIdx.x;
        __threadfence();
        atomicExch(&mutex, 0);
    }
}

// [lock] The sum is added to after the lock has been given back.
//~ race
__global__ void lock_leader_bad(int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&mutex, 0, 1) != 0) { }
        __threadfence();
        int mine = blockIdx.x;
        __threadfence();
        atomicExch(&mutex, 0);
        sum[0] += mine; //~ here
    }
}

// [lock] The other threads of the block do not hold it.
//~ race
__global__ void lock_others_bad(int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&mutex, 0, 1) != 0) { }
        __threadfence();
    }
    sum[threadIdx.x] += 1; //~ here
    __threadfence();
    if (threadIdx.x == 0) atomicExch(&mutex, 0);
}

// [lock] A lock that nobody spins on excludes nobody.
//~ race
__global__ void lock_once_bad(int *sum)
{
    if (threadIdx.x == 0) {
        atomicCAS(&mutex, 0, 1);
        __threadfence();
        sum[0] += blockIdx.x; //~ here
        __threadfence();
        atomicExch(&mutex, 0);
    }
}

// [lock] Some do without the lock.
//~ race
__global__ void lock_reader_bad(int *sum, int *out)
{
    if (threadIdx.x == 0) {
        out[blockIdx.x] = sum[0]; //~ here
        while (atomicCAS(&mutex, 0, 1) != 0) { }
        __threadfence();
        sum[0] += blockIdx.x; //~ here
        __threadfence();
        atomicExch(&mutex, 0);
    }
}

// The last block adds up.
//~ race-free
__global__ void counter_last_block(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        part[blockIdx.x] = blockIdx.x * blockIdx.x;
        __threadfence();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += part[i];
        out[0] = sum;
    }
}

// [counter] The ticket may be seen before the part.
//~ race
__global__ void counter_no_fence_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        part[blockIdx.x] = blockIdx.x * blockIdx.x; //~ here
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += part[i]; //~ here
        out[0] = sum;
    }
}

// [counter] The fence of the block is not enough between blocks.
//~ race
__global__ void counter_block_fence_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        part[blockIdx.x] = blockIdx.x * blockIdx.x; //~ here
        __threadfence_block();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += part[i]; //~ here
        out[0] = sum;
    }
}

// [counter] All threads store, and only thread 0 draws: nobody waits for the others.
//~ race
__global__ void counter_no_barrier_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    if (t == 0) last = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int i = 0; i < gridDim.x * 64; i++) sum += part[i]; //~ here
        out[0] = sum;
    }
}

// All threads store and wait for each other, then thread 0 draws.
//~ race-free
__global__ void counter_barrier(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int i = 0; i < gridDim.x * 64; i++) sum += part[i];
        out[0] = sum;
    }
}

// [fence] A fence alone orders nothing between threads.
//~ race
__global__ void fence_alone_bad(int *a, int *b)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    __threadfence_block();
    b[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}
