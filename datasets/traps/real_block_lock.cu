//--blockDim=64 --gridDim=4
// Shape of real bugs: a semaphore without a block barrier

// Thread 0 takes the lock for its block; barriers keep the others inside the critical section.
//~ race-free
__global__ void real_block_lock_ok(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    g[t] += 1;
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(lock, 0);
}

// [cross-block] No barrier behind the taking of the lock: the other threads do not wait for it.
//~ race
__global__ void real_block_lock_bad(int *lock, int *g)
{
    int t = threadIdx.x;
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    g[t] += 1; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(lock, 0);
}
