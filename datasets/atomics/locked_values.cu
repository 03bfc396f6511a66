//--blockDim=64 --gridDim=4
// Values that are read under locks: others may have written them without a race

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

// Read back in the section in which it was written.
//~ race-free
__global__ void locked_read_back_ok(int *lock, int *g, int *out)
{
    if (threadIdx.x == 0) {
        take(lock);
        g[0] = blockIdx.x;
        int b = g[0];
        give(lock);
        out[b] = blockIdx.x;
    }
}

// [read back] Another block may have written it between the sections.
//~ race
__global__ void locked_read_back_bad(int *lock, int *g, int *out)
{
    if (threadIdx.x == 0) {
        take(lock);
        g[0] = blockIdx.x;
        give(lock);
        take(lock);
        int b = g[0];
        give(lock);
        out[b] = blockIdx.x; //~ here
    }
}

// [read back] For a block, too.
//~ race
__global__ void locked_read_back_block_bad(int *lock, int *g, int *out)
{
    int t = threadIdx.x;
    if (t == 0) take(lock);
    __syncthreads();
    if (t == 0) g[0] = blockIdx.x;
    __syncthreads();
    if (t == 0) give(lock);
    __syncthreads();
    if (t == 0) take(lock);
    __syncthreads();
    int b = g[0];
    __syncthreads();
    if (t == 0) give(lock);
    out[b * 64 + t] = blockIdx.x; //~ here
}

// [read back] A thread of the block wrote it after thread 0.
//~ race
__global__ void locked_shared_bad(int *lock, int *out)
{
    __shared__ int s;
    __shared__ int r[128];
    int t = threadIdx.x;
    take(lock);
    s = t & 1;
    give(lock);
    take(lock);
    if (t == 0) s = 0;
    give(lock);
    __syncthreads();
    r[t + s * 64] = t; //~ here
    if (s > 0 && t == 5) r[64] = 7; //~ here
}

// [uniform] The threads of the block read at different times.
//~ race
__global__ void locked_uniform_bad(int *lock, int *g)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    take(lock);
    int v = g[0] & 1;
    give(lock);
    s[v + t] = t; //~ here
    __syncthreads();
    if (t == 0) {
        take(lock);
        g[0] ^= 1;
        give(lock);
    }
}

// [divergence] So they do not agree about a barrier.
//~ divergence
__global__ void locked_barrier_bad(int *lock, int *g)
{
    take(lock);
    int v = g[0];
    give(lock);
    if (v == 7) __syncthreads(); //~ here
    __syncthreads();
    if (threadIdx.x == 0) {
        take(lock);
        g[0] ^= 1;
        give(lock);
    }
}

// [same access] Equal but for the lock.
//~ race
__global__ void locked_same_access_bad(int *lock, int *g)
{
    if (threadIdx.x == 0) {
        take(lock);
        g[0] = 1 + blockIdx.x; //~ here
        give(lock);
        g[0] = 1 + blockIdx.x; //~ here
    }
}

// Each thread draws another number.
//~ fp_race-free
__global__ void locked_counter_ok(int *lock, int *next, int *out)
{
    take(lock);
    int k = next[0];
    next[0] = k + 1;
    give(lock);
    out[k] = threadIdx.x;
}
