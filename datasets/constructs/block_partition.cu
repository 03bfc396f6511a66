// Construct: each block has a part of the array

// The block's part is swept by its threads with stride blockDim.
//~ race-free
__global__ void block_partition_ok(int *g, int n)
{
    int b = blockIdx.x, t = threadIdx.x, width = blockDim.x;
    int *part = g + b * n;
    for (int i = t; i < n; i += width) part[i] = i;
}

// [extent] The sweep runs one element into the next part.
//~ race
__global__ void block_partition_bad(int *g, int n)
{
    int b = blockIdx.x, t = threadIdx.x, width = blockDim.x;
    int *part = g + b * n;
    for (int i = t; i <= n; i += width) part[i] = b; //~ here
}

// From first to last with bounds computed per block.
//~ race-free
__global__ void block_partition_bounds_ok(int *g, int n)
{
    int b = blockIdx.x, t = threadIdx.x, width = blockDim.x;
    int first = b * n;
    int last = first + n;
    for (int i = first + t; i < last; i += width) g[i] = b;
}

// [extent] The bounds of thread parts: t*n to (t+1)*n inclusive.
//~ race
__global__ void thread_partition_bad(int *g, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = t * n; i <= (t + 1) * n; i++) g[i] = t; //~ here
}

// Exclusive.
//~ race-free
__global__ void thread_partition_ok(int *g, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = t * n; i < (t + 1) * n; i++) g[i] = t;
}
