// Construct: any launch, one-dimensional ids

// Distinct for every block size and grid size.
//~ race-free
__global__ void symbolic_1d_ok(int *g, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) g[i] = i;
}

// [cross-block] gridDim instead of blockDim.
//~ race
__global__ void symbolic_1d_bad(int *g, int n)
{
    int i = blockIdx.x * gridDim.x + threadIdx.x;
    if (i < n) g[i] = blockIdx.x; //~ here
}

// The thread index runs through the blocks: t*gridDim + b.
//~ race-free
__global__ void symbolic_1d_interleaved_ok(int *g)
{
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    g[i] = i;
}

// Mirrored within the block, behind a barrier.
//~ race-free
__global__ void symbolic_1d_mirror_ok(int *g)
{
    extern __shared__ int s[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = g[i];
    __syncthreads();
    g[i] = s[blockDim.x - 1 - t];
}

// [missing-barrier] For one-thread blocks this is harmless, for all others it is not.
//~ race
__global__ void symbolic_1d_mirror_bad(int *g)
{
    extern __shared__ int s[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = g[i]; //~ here
    g[i] = s[blockDim.x - 1 - t]; //~ here
}

// [launch] Right for blocks of up to 64 threads only.
//~ race
__global__ void symbolic_1d_width_bad(int *g)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    g[i] = blockIdx.x; //~ here
}
