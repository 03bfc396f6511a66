//--blockDim=64 --gridDim=4
// Row: a load that is equal within a block is not equal between blocks

// [cross-block] o is b in each block, so every block writes g[0].
// Uniformity of a shared load has block scope: two blocks may not share its copy.
//~ race
__global__ void block_uniform_load_bad(int *g)
{
    __shared__ int o;
    int t = threadIdx.x, b = blockIdx.x;
    if (!t) o = b;
    __syncthreads();
    if (!t) g[b - o] = b; //~ here
}

// The loaded value is data, the index is the block's own.
//~ race-free
__global__ void block_uniform_load_ok(int *g)
{
    __shared__ int o;
    int t = threadIdx.x, b = blockIdx.x;
    if (!t) o = b;
    __syncthreads();
    if (!t) g[b] = b - o;
}
