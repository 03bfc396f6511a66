//--blockDim=64 --gridDim=4
// Row: block barrier in a loop does not align blocks

// [cross-block] Block 0 in iteration 1 and block 1 in iteration 0 both write g[1].
// Across blocks each block has its own iteration of every loop.
//~ race
__global__ void unaligned_blocks_bad(int *g, int n)
{
    int t = threadIdx.x, b = blockIdx.x;
    for (int i = 0; i < n; i++) {
        if (!t) g[b + i] = b; //~ here
        __syncthreads();
    }
}

// The stride of the iteration is the number of blocks: residues modulo gridDim differ.
//~ race-free
__global__ void unaligned_blocks_ok(int *g, int n)
{
    int t = threadIdx.x, b = blockIdx.x;
    for (int i = 0; i < n; i++) {
        if (!t) g[b + i * gridDim.x] = b;
        __syncthreads();
    }
}
