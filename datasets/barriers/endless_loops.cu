//--blockDim=64 --gridDim=1
// Barriers: loops without a condition that all threads leave together

//~ race-free
__global__ void rounds_count_ok(int n, int *g)
{
    int k = threadIdx.x;
    for (;;) {
        int m = __syncthreads_count(k < n);
        if (m == 0) break;
        k += 64;
        __syncthreads();
    }
    g[threadIdx.x] = k;
}

// [break] Each thread leaves when it is done itself.
//~ divergence
__global__ void rounds_count_bad(int n, int *g)
{
    int k = threadIdx.x;
    for (;;) {
        int m = __syncthreads_count(k < n); //~ here
        if (k >= n + m) break;
        k += 64;
    }
    g[threadIdx.x] = k;
}

//~ race-free
__global__ void rounds_or_ok(int n, int *g)
{
    int k = threadIdx.x;
    for (;;) {
        int m = __syncthreads_or(k < n);
        if (!m) break;
        k += 64;
        __syncthreads();
    }
    g[threadIdx.x] = k;
}

//~ race-free
__global__ void rounds_ballot_ok(int n, int *g)
{
    int k = threadIdx.x;
    for (;;) {
        unsigned m = __ballot_sync(~0u, k < n);
        if (!m) break;
        k += 64;
    }
    g[threadIdx.x] = k;
}

// [mask] The lanes that have left are still named.
//~ divergence
__global__ void rounds_ballot_bad(int n, int *g)
{
    int k = threadIdx.x;
    for (;;) {
        unsigned m = __ballot_sync(~0u, k < n); //~ here
        if (!(m >> threadIdx.x % 32 & 1)) break;
        k += 64;
    }
    g[threadIdx.x] = k;
}

// One thread draws the next piece of work for the block.
//~ race-free
__global__ void rounds_queue_ok(int n, int *p, int *g)
{
    __shared__ int f;
    for (;;) {
        __syncthreads();
        if (!threadIdx.x) f = atomicAdd(p, 1);
        __syncthreads();
        if (f >= n) break;
    }
    g[threadIdx.x] = 1;
}

// [missing barrier] A thread may draw before the others have read.
//~ race
__global__ void rounds_queue_bad(int n, int *p, int *g)
{
    __shared__ int f;
    for (;;) {
        if (!threadIdx.x) f = atomicAdd(p, 1); //~ here
        __syncthreads();
        if (f >= n) break; //~ here
    }
    g[threadIdx.x] = 1;
}
