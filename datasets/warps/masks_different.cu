//--blockDim=64 --gridDim=1
// Warps: lanes that come to one operation with different masks

// [mask] The upper lanes name all, the lower ones only each other.
//~ divergence
__global__ void masks_halves_bad(int *g)
{
    int t = threadIdx.x;
    unsigned m = (t & 16) ? 0xffffffffu : 0xffffu;
    __syncwarp(m); //~ here
    g[t] = 0;
}

// Each half names itself.
//~ race-free
__global__ void masks_halves_ok(int *g)
{
    int t = threadIdx.x;
    unsigned m = (t & 16) ? 0xffff0000u : 0xffffu;
    __syncwarp(m);
    g[t] = 0;
}

// [mask] The odd lanes name all.
//~ divergence
__global__ void masks_shuffle_bad(int *g)
{
    int t = threadIdx.x;
    unsigned m = (t & 1) ? ~0u : 0x55555555u;
    g[t] = __shfl_sync(m, t, 0); //~ here
}

// [mask] Each lane names itself and the first.
//~ divergence
__global__ void masks_pairs_bad(int *g)
{
    int t = threadIdx.x;
    unsigned m = 1u | (1u << (t & 31));
    __syncwarp(m); //~ here
    g[t] = 0;
}

// Pairs of lanes.
//~ race-free
__global__ void masks_pairs_ok(int *g)
{
    int t = threadIdx.x;
    unsigned m = 3u << (t & 30);
    __syncwarp(m);
    g[t] = 0;
}

// [mask] Runs of eight lanes that begin at every fourth.
//~ divergence
__global__ void masks_runs_bad(int *g)
{
    int t = threadIdx.x;
    unsigned m = 0xffu << (t & 20);
    __syncwarp(m); //~ here
    g[t] = 0;
}

// The lanes that a parameter names.
//~ race-free
__global__ void masks_parameter_ok(int *g, unsigned m)
{
    int t = threadIdx.x;
    if (m >> (t & 31) & 1) {
        __syncwarp(m);
        g[t] = 0;
    }
}

// [mask] One half adds a lane that the other half does not know of.
//~ divergence
__global__ void masks_parameter_bad(int *g, unsigned n)
{
    int t = threadIdx.x;
    unsigned m = (t & 31) < n ? 0xffffffffu : 0xffff0000u;
    __syncwarp(m); //~ here
    g[t] = 0;
}
