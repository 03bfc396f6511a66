//--blockDim=64 --gridDim=2
// Extra: threads that end the launch

// A block that ends does not store.
//~ race-free
__global__ void ended_ok(int *g, int n)
{
    if (n < 64) __trap();
    g[blockIdx.x * 1024 + threadIdx.x % n] = threadIdx.x;
}

// [condition] The other way round.
//~ race
__global__ void ended_bad(int *g, int n)
{
    if (n >= 64) __trap();
    g[blockIdx.x * 1024 + threadIdx.x % n] = threadIdx.x; //~ here
}

// [before] What was stored before stays.
//~ race
__global__ void ended_before_bad(int *g, int n)
{
    g[0] = threadIdx.x; //~ here
    if (n < 64) __trap();
}

// [one-thread] One thread ends: the others go on.
//~ race
__global__ void ended_one_bad(int *g)
{
    if (threadIdx.x == 0) __trap();
    g[0] = threadIdx.x; //~ here
}

// One block ends, and the other is alone.
//~ race-free
__global__ void ended_block_ok(int *g)
{
    if (blockIdx.x == 0) __trap();
    g[threadIdx.x] = threadIdx.x;
}

// [block] The threads of the other block.
//~ race
__global__ void ended_block_bad(int *g)
{
    if (blockIdx.x == 0) __trap();
    g[threadIdx.x / 2] = threadIdx.x; //~ here
}

// A barrier behind it.
//~ race-free
__global__ void ended_barrier_ok(int *g, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (n < 64) abort();
    __syncthreads();
    g[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
