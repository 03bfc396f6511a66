//--blockDim=64 --gridDim=4
// Row: "one thread only" holds within a block, not between blocks

// [cross-block] Thread 0 of every block writes g[0].
//~ race
__global__ void one_thread_per_block_bad(int *g)
{
    int t = threadIdx.x, b = blockIdx.x;
    if (!t) g[0] = b; //~ here
}

// One element a block.
//~ race-free
__global__ void one_thread_per_block_ok(int *g)
{
    int t = threadIdx.x, b = blockIdx.x;
    if (!t) g[b] = b;
}
