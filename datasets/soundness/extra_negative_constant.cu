//--blockDim=1 --gridDim=2
// A negative constant added to an unsigned number of the grid becomes a large one, and the sum wraps: that ids of the grid do not
// wrap says nothing of it. Likewise for a factor so large that the product wraps at the sizes of the launch.

//~ race
__global__ void negative_constant_bad(unsigned short *g, int *out)
{
    out[blockIdx.x] = g[0];       //~ here
    g[blockIdx.x + (-1)] = 0;     //~ here
}

//~ race-free
__global__ void negative_constant_ok(unsigned short *g, int *out)
{
    out[blockIdx.x] = g[0];
    g[blockIdx.x + 1] = 0;
}

//~ race
__global__ void wrapping_factor_bad(int *g, int n)
{
    unsigned i = blockIdx.x * 0x80000000u;
    if (n > 2) {
        g[i * 2] = blockIdx.x;    //~ here
    }
}

//~ race-free
__global__ void wrapping_factor_ok(int *g, int n)
{
    unsigned i = blockIdx.x * 0x40000000u;
    if (n > 2) {
        g[i * 2] = blockIdx.x;
    }
}
