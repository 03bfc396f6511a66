// Construct: grids by ceil division of a size that is not known

// The guard cuts the last block.
//~ race-free
__global__ void launch_ceil_ok(int *g, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) g[i] = i;
}

// [guard] The threads beyond n all fall on the last element.
//~ race
__global__ void launch_ceil_bad(int *g, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) i = n - 1;
    g[i] = blockIdx.x * blockDim.x + threadIdx.x; //~ here
}

// [launch] Blocks of 128 are launched, the kernel counts in blocks of 64.
//~ race
__global__ void launch_ceil_width_bad(int *g, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) g[i] = blockIdx.x; //~ here
}

void launch_ceil_host(int *d, int n)
{
    int threads = 128;
    int blocks = (n + threads - 1) / threads;
    launch_ceil_ok<<<blocks, threads>>>(d, n);
    launch_ceil_bad<<<blocks, threads>>>(d, n);
    launch_ceil_width_bad<<<(n + 127) / 128, 128>>>(d, n);
}
