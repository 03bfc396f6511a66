// Construct: any launch, three-dimensional ids

// The rank in the block, over all three axes.
//~ race-free
__global__ void symbolic_3d_ok()
{
    __shared__ int s[1024];
    int r = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    s[r] = r;
}

// [identity] The axis y is scaled with the wrong extent.
//~ race
__global__ void symbolic_3d_bad()
{
    __shared__ int s[4096];
    int r = (threadIdx.z * blockDim.x + threadIdx.y) * blockDim.x + threadIdx.x;
    s[r] = threadIdx.z; //~ here
}

// [identity] The plane of blockIdx.z is left out.
//~ race
__global__ void symbolic_3d_grid_bad(int *g)
{
    int r = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int n = blockDim.x * blockDim.y * blockDim.z;
    int b = blockIdx.y * gridDim.x + blockIdx.x;
    g[b * n + r] = blockIdx.z; //~ here
}

// Block rank times block size plus thread rank.
//~ race-free
__global__ void symbolic_3d_grid_ok(int *g)
{
    int r = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int n = blockDim.x * blockDim.y * blockDim.z;
    int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    g[b * n + r] = b;
}
