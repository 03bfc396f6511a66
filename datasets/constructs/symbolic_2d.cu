// Construct: any launch, two-dimensional ids

// Rows of w elements, columns below w.
//~ race-free
__global__ void symbolic_2d_ok(int *g, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w) g[y * w + x] = x;
}

// [identity] Columns may pass the end of the row.
//~ race
__global__ void symbolic_2d_bad(int *g, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < w) g[y * w + x] = y; //~ here
}

// The rank in the block.
//~ race-free
__global__ void symbolic_2d_rank_ok()
{
    __shared__ int s[1024];
    int r = threadIdx.y * blockDim.x + threadIdx.x;
    s[r] = r;
}

// [identity] Mixed up: right for square blocks only.
//~ race
__global__ void symbolic_2d_rank_bad()
{
    __shared__ int s[2048];
    int r = threadIdx.x * blockDim.x + threadIdx.y;
    s[r] = threadIdx.x; //~ here
}
