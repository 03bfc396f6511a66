// Atomics: places that are drawn from a counter, as many at once as there are threads

// One thread draws places for its block.
//~ race-free
__global__ void drawn_block_ok(int *count, int *o)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = atomicAdd(count, blockDim.x);
    __syncthreads();
    o[base + t] = blockIdx.x;
}

// [extent] One place too few.
//~ race
__global__ void drawn_block_bad(int *count, int *o)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = atomicAdd(count, blockDim.x - 1);
    __syncthreads();
    o[base + t] = blockIdx.x; //~ here
}

// Places are unsigned sums; the counter does not come round.
//~ race-free
__global__ void drawn_block_unsigned_ok(int *count, int *o)
{
    __shared__ int base;
    if (threadIdx.x == 0) base = atomicAdd(count, blockDim.x);
    __syncthreads();
    o[base + threadIdx.x] = blockIdx.x;
}

// Each thread draws n places.
//~ race-free
__global__ void drawn_thread_ok(int *count, int *o, int n)
{
    int base = atomicAdd(count, n);
    for (int i = 0; i < n; i++) o[base + i] = threadIdx.x;
}

// [extent] It writes one more.
//~ race
__global__ void drawn_thread_bad(int *count, int *o, int n)
{
    int base = atomicAdd(count, n);
    for (int i = 0; i <= n; i++) o[base + i] = threadIdx.x; //~ here
}

// [extent] n may be 0 or less.
//~ race
__global__ void drawn_nothing_bad(int *count, int *o, int n)
{
    int base = atomicAdd(count, n);
    o[base] = threadIdx.x; //~ here
}

// [index] A second counter gives the same places.
//~ race
__global__ void drawn_two_counters_bad(int *count, int *o)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = atomicAdd(&count[blockIdx.x & 1], blockDim.x);
    __syncthreads();
    o[base + t] = blockIdx.x; //~ here
}

// [index] Some places are given back.
//~ race
__global__ void drawn_given_back_bad(int *count, int *o)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = atomicAdd(count, blockDim.x);
    __syncthreads();
    o[base + t] = blockIdx.x; //~ here
    if (blockIdx.x == 2 && t == 0) atomicSub(count, blockDim.x);
}

// [extent] The blocks draw numbers of places of their own, which may be too small.
//~ race
__global__ void drawn_various_bad(int *count, int *o, const int *sizes)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = atomicAdd(count, sizes[blockIdx.x]);
    __syncthreads();
    o[base + t] = blockIdx.x; //~ here
}
