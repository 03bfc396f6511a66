//--blockDim=64 --gridDim=[2,2]
// Extra: two-dimensional grids, and what separates blocks

// [cross-block] blockIdx.y is not in the index.
//~ race
__global__ void grid_axis_bad(int *g)
{
    g[blockIdx.x * 64 + threadIdx.x] = blockIdx.y; //~ here
}

// Both axes are.
//~ race-free
__global__ void grid_axis_ok(int *g)
{
    g[(blockIdx.y * 2 + blockIdx.x) * 64 + threadIdx.x] = blockIdx.y;
}

// [cross-block] The element of the neighbouring block: a block barrier does not reach it.
//~ race
__global__ void grid_neighbour_bad(int *g)
{
    int b = blockIdx.y * 2 + blockIdx.x;
    int i = b * 64 + threadIdx.x;
    g[i] = i; //~ here
    __threadfence();
    __syncthreads();
    g[i + 256] = g[i ^ 64]; //~ here
}

// The partner is in the same block.
//~ race-free
__global__ void grid_neighbour_ok(int *g)
{
    int b = blockIdx.y * 2 + blockIdx.x;
    int i = b * 64 + threadIdx.x;
    g[i] = i;
    __syncthreads();
    g[i + 256] = g[i ^ 32];
}

// A shared array exists once a block.
//~ race-free
__global__ void grid_shared_ok()
{
    __shared__ int s[64];
    s[threadIdx.x] = blockIdx.x;
}

// [cross-block] Every block reads flag and thread 0 of each clears it.
//~ race
__global__ void grid_flag_bad(int *flag, int *g)
{
    int b = blockIdx.y * 2 + blockIdx.x;
    int f = flag[0]; //~ here
    __syncthreads();
    if (threadIdx.x == 0) flag[0] = b; //~ here
    g[b * 64 + threadIdx.x] = f;
}

// [cross-block] q[b] is the same in all threads of a block, and the blocks that find a 1 there write one element.
//~ race
__global__ void grid_guard_bad(const int *q, int *g)
{
    int b = blockIdx.y * 2 + blockIdx.x;
    if (q[b] == 1 && threadIdx.x == 0) g[q[b]] = b; //~ here
}

// [same-value] The value is equal within a block and differs between blocks.
//~ race
__global__ void grid_same_value_bad(const int *q, int *g)
{
    int b = blockIdx.y * 2 + blockIdx.x;
    g[0] = q[b]; //~ here
}

// One unchanged element of the whole grid.
//~ race-free
__global__ void grid_same_value_ok(const int *q, int *g)
{
    g[0] = q[0];
}
