//--blockDim=1024 --gridDim=8388608
// Soundness: a launch that is known, and in which global thread ids do wrap: nothing is assumed there

// [wrap] Threads of blocks 0 and 4194304 have one id.
//~ race
__global__ void ids_wrap_bad(int *g)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    g[i] = blockIdx.x; //~ here
}

// Numbers of 64 bits hold them.
//~ race-free
__global__ void ids_wide_ok(int *g)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    g[i] = blockIdx.x;
}
