// Contracts: launches in comments

// One block of 64: the elements are the threads' own.
// warplog: launch block=64 grid=1
//~ race-free
__global__ void launch_of_one_block_ok(int *out)
{
    out[threadIdx.x] = threadIdx.x;
}

// Two blocks write the same elements.
// warplog: launch block=64 grid=2
//~ race
__global__ void launch_of_two_blocks_bad(int *out)
{
    out[threadIdx.x] = blockIdx.x; //~ here
}

// The grid is as large as the parameter asks for.
//~ race-free
__global__ void launch_by_parameter_ok(int *out, int n)
{
    // warplog: launch block=256 grid=(n+255)/256
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    __assert(blockIdx.x * 256 < n + 256);
    if (g < n) out[g] = g;
}

// Larger than hardware allows, when it is stated.
// warplog: launch block=[2048,2] grid=1
//~ race-free
__global__ void launch_of_large_blocks_ok(int *out)
{
    out[threadIdx.y * 2048 + threadIdx.x] = 1;
}

// Rows of a large block that overlap.
// warplog: launch block=[2048,2] grid=1
//~ race
__global__ void launch_of_large_blocks_bad(int *out)
{
    out[threadIdx.y * 2047 + threadIdx.x] = threadIdx.x; //~ here
}
