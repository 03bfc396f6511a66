//--blockDim=64 --gridDim=4
// Spin locks that one thread takes for its block, with barriers around what the others do

__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) { }
    __threadfence();
}

__device__ void give(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

// The fence of thread 0 behind the barrier is for all.
//~ race-free
__global__ void block_lock_ok(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncthreads();
    g[t] += t;
    __syncthreads();
    if (t == 0) give(lock);
}

// [barrier] Nobody waits for thread 0.
//~ race
__global__ void block_lock_no_barrier_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    g[t] += t; //~ here
    __syncthreads();
    if (t == 0) give(lock);
}

// [barrier] Thread 0 waits for nobody.
//~ race
__global__ void block_lock_no_barrier_behind_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncthreads();
    g[t] += t; //~ here
    __threadfence();
    if (t == 0) give(lock);
}

// [barrier] It stands on one way only.
//~ race
__global__ void block_lock_some_barrier_bad(int *lock, int *g, int n)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    if (n > 3) __syncthreads();
    g[t] += t; //~ here
    __syncthreads();
    if (t == 0) give(lock);
}

// [barrier] That of a warp is not enough for a block.
//~ race
__global__ void block_lock_warp_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncwarp();
    g[t] += t; //~ here
    __syncwarp();
    if (t == 0) give(lock);
}

// Each thread fences before the barrier.
//~ race-free
__global__ void block_lock_fences_ok(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncthreads();
    g[t] += t;
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(lock, 0);
}

// [fence] Only thread 0 fences, and before the barrier.
//~ race
__global__ void block_lock_fence_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncthreads();
    g[t] += t; //~ here
    if (t == 0) __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(lock, 0);
}

// [fence] These fences have no order with each other, and that of thread 0 comes too early.
//~ race
__global__ void block_lock_weak_fences_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncthreads();
    g[t] += t; //~ here
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
    __syncthreads();
    if (t == 0) atomicExch(lock, 0);
}

// Several rounds, each with the lock.
//~ race-free
__global__ void block_lock_rounds_ok(int *lock, int *g, int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (t == 0) take(lock);
        __syncthreads();
        for (int k = t; k < 1000; k += 64) g[k] += i;
        __syncthreads();
        if (t == 0) give(lock);
    }
}

// [lock] From the fourth round on nobody holds it.
//~ race
__global__ void block_lock_rounds_bad(int *lock, int *g, int n)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    for (int i = 0; i < n; i++) {
        __syncthreads();
        g[t] += i; //~ here
        __syncthreads();
        if (t == 0 && i == 2) give(lock);
    }
}

// [lock] Let go and taken again while the others work.
//~ race
__global__ void block_lock_let_go_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncthreads();
    if (t == 0) {
        give(lock);
        take(lock);
    }
    g[t] += t; //~ here
    __syncthreads();
    if (t == 0) give(lock);
}

// [lock] Given back by a thread that does not have it.
//~ race
__global__ void block_lock_giver_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncthreads();
    g[t] += t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 1) give(lock);
}

// Blocks beyond the end leave together.
//~ race-free
__global__ void block_lock_return_ok(int *lock, int *g, int n)
{
    int t = threadIdx.x;
    if (blockIdx.x >= n) return;
    if (t == 0) take(lock);
    __syncthreads();
    g[t] += t;
    __syncthreads();
    if (t == 0) give(lock);
}

// [lock] The first block does without.
//~ race
__global__ void block_lock_some_blocks_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0 && blockIdx.x > 0) take(lock);
    __syncthreads();
    g[t] += t; //~ here
    __syncthreads();
    if (t == 0 && blockIdx.x > 0) give(lock);
}

// [lock] No block has the thread that takes it.
//~ race
__global__ void block_lock_nobody_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 64) take(lock);
    __syncthreads();
    g[t] += t; //~ here
    __syncthreads();
    if (t == 64) give(lock);
}

// [lock] The threads of the block do not exclude each other.
//~ race
__global__ void block_lock_within_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncthreads();
    g[0] += t; //~ here
    __syncthreads();
    if (t == 0) give(lock);
}
