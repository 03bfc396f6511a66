// Extra: sizes that the host computes are not whatever looks like them

// [launch] The pitch is one less than the size of the block.
//~ race
__global__ void sizes_pitch_bad(int *g, int n)
{
    g[blockIdx.x * n + threadIdx.x] = blockIdx.x; //~ here
}

// The pitch is the size of the block.
//~ race-free
__global__ void sizes_pitch_ok(int *g, int n)
{
    g[blockIdx.x * n + threadIdx.x] = blockIdx.x;
}

// [index] All threads of a block write the first element of its row.
//~ race
__global__ void sizes_row_bad(unsigned *g, unsigned n)
{
    g[blockIdx.x * n] = threadIdx.x; //~ here
}

// [index] Rows of another length than that which the index was taken apart by.
//~ race
__global__ void sizes_split_bad(int *g, int w, int h)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < w * h) {
        int x = id % w, y = id / w;
        g[y * h + x] = id; //~ here
    }
}

// [index] What is below w * w is not below half of it twice.
//~ race
__global__ void sizes_half_bad(int *g, unsigned w)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < w * w)
        g[id % (w * w) / 2] = id; //~ here
}

// [narrowing] A global id does not wrap; in 16 bits it does.
//~ race
__global__ void sizes_short_bad(int *g, int n)
{
    unsigned short id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        g[id] = blockIdx.x; //~ here
}

// Rows as long as the block is high: y stays below the size by which x is multiplied.
//~ race-free
__global__ void sizes_height_ok(int *g, int n, int m)
{
    if (threadIdx.y < m)
        g[threadIdx.x * n + threadIdx.y] = threadIdx.x;
}

// [launch] The same with the height of another launch.
//~ race
__global__ void sizes_height_bad(int *g, int n, int m)
{
    if (threadIdx.y < m)
        g[threadIdx.x * n + threadIdx.y] = threadIdx.x; //~ here
}

// [index] A factor of 0 brings all threads together.
//~ race
__global__ void sizes_zero_bad(int *g, int p)
{
    g[threadIdx.x * p] = threadIdx.x; //~ here
}

//~ race-free
__global__ void sizes_zero_ok(int *g, int p)
{
    int x = threadIdx.x;
    if (p != 0)
        g[x * p] = x;
}

// [wrap] The product is unsigned: 2 * 2^31 is 0.
//~ race
__global__ void sizes_zero_wrapped_bad(int *g, int p)
{
    if (p != 0)
        g[threadIdx.x * p] = threadIdx.x; //~ here
}

void sizes(int *g, int n, int m, int threads, int blocks, unsigned u)
{
    sizes_pitch_bad<<<blocks, threads>>>(g, threads - 1);
    sizes_pitch_ok<<<blocks, threads>>>(g, threads);
    sizes_row_bad<<<u, threads>>>((unsigned *)g, threads);
    sizes_split_bad<<<(n * m + threads - 1) / threads, threads>>>(g, n, m);
    sizes_half_bad<<<blocks * blocks, threads * 2>>>(g, u);
    sizes_short_bad<<<blocks, threads>>>(g, n);
    sizes_height_ok<<<1, dim3(threads, n)>>>(g, n, m);
    sizes_height_bad<<<1, dim3(threads, blocks)>>>(g, n, m);
    sizes_zero_bad<<<1, threads>>>(g, n);
    sizes_zero_ok<<<1, threads>>>(g, n);
    sizes_zero_wrapped_bad<<<1, threads>>>(g, n);
}
