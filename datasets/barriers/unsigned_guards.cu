//--blockDim=64 --gridDim=1
// Barriers: conditions that compare a signed number with an index of the thread

// [branch] Threads above the number.
//~ divergence
__global__ void unsigned_above_bad(int n)
{
    if (threadIdx.x > n) __syncthreads(); //~ here
}

// [loop] As many rounds as the thread is above the number.
//~ divergence
__global__ void unsigned_rounds_bad(int n)
{
    for (int k = n; k < threadIdx.x; k++) __syncthreads(); //~ here
}

// [branch] The global index.
//~ divergence
__global__ void unsigned_global_bad(int n)
{
    if (blockIdx.x * blockDim.x + threadIdx.x >= n) __syncthreads(); //~ here
}

// No thread is above the last.
//~ race-free
__global__ void unsigned_above_ok(int *g, int n)
{
    if (threadIdx.x > 63 + (n & 1)) __syncthreads();
    g[threadIdx.x] = n;
}
