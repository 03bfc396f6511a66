// Construct: launches with dim3 variables and dim3 temporaries

// 8 x 8 threads, one row of eight each.
//~ race-free
__global__ void launch_dim3_ok()
{
    __shared__ int s[64];
    s[threadIdx.y * 8 + threadIdx.x] = threadIdx.x;
}

// [launch] 16 x 8 threads in rows of eight.
//~ race
__global__ void launch_dim3_bad()
{
    __shared__ int s[128];
    s[threadIdx.y * 8 + threadIdx.x] = threadIdx.y; //~ here
}

// Two by two blocks write a part each.
//~ race-free
__global__ void launch_dim3_grid_ok(int *g)
{
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    g[block * 64 + threadIdx.y * 8 + threadIdx.x] = block;
}

// [cross-block] blockIdx.y is not in the index.
//~ race
__global__ void launch_dim3_grid_bad(int *g)
{
    g[blockIdx.x * 64 + threadIdx.y * 8 + threadIdx.x] = blockIdx.y; //~ here
}

// A member of the dim3 was changed after its definition: the block is 8 x 4.
//~ race-free
__global__ void launch_dim3_member_ok()
{
    __shared__ int s[64];
    s[threadIdx.y * 8 + threadIdx.x] = threadIdx.x;
}

// [launch] Here the member makes the block 8 x 8, and the rows fall on each other modulo 32.
//~ race
__global__ void launch_dim3_member_bad()
{
    __shared__ int s[64];
    s[(threadIdx.y * 8 + threadIdx.x) % 32] = threadIdx.y; //~ here
}

void launch_dim3_host(int *d)
{
    dim3 block(8, 8);
    dim3 grid(2, 2, 1);
    launch_dim3_ok<<<1, block>>>();
    launch_dim3_bad<<<1, dim3(16, 8)>>>();
    launch_dim3_grid_ok<<<grid, block>>>(d);
    launch_dim3_grid_bad<<<grid, block>>>(d);

    dim3 changed(16, 4);
    changed.x = 8;
    launch_dim3_member_ok<<<1, changed>>>();
    changed.y = 8;
    launch_dim3_member_bad<<<1, changed>>>();
}
