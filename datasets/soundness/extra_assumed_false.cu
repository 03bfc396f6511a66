//--blockDim=64 --gridDim=1
// Extra: assumptions that the launch contradicts say nothing, wherever they stand

// [loop] In a loop.
//~ unknown
__global__ void assumed_in_loop_bad(int *g)
{
    for (int i = 0; i < 4; i++) {
        __builtin_assume(blockDim.x == 32);
        g[threadIdx.x / 2] = threadIdx.x;
    }
}

__device__ void assumes(int *g)
{
    __assume(blockDim.x == 32);
    g[threadIdx.x / 2] = threadIdx.x;
}

// [call] In a function that is called under a condition.
//~ unknown
__global__ void assumed_in_call_bad(int *g, int n)
{
    if (n > 0)
        assumes(g);
}

// [branch] In a branch, where all threads go.
//~ unknown
__global__ void assumed_in_branch_bad(int *g)
{
    if (threadIdx.x < 64)
        __assume(blockDim.x == 32);
    g[threadIdx.x / 2] = threadIdx.x;
}
