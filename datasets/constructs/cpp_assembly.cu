//--blockDim=64 --gridDim=1
// Construct: inline assembly that only computes

__device__ unsigned lane()
{
    unsigned r;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

__device__ int fused(int a, int b, int c)
{
    int r;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}

// The result is a value, not a place.
//~ race-free
__global__ void assembly_value_ok(int *g)
{
    int t = threadIdx.x;
    g[t] = fused(t, 2, 3);
}

// [missing-barrier] Around it everything is as it was.
//~ race
__global__ void assembly_value_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = fused(t, 2, 3); //~ here
    g[t] = s[63 - t]; //~ here
}

// [index] The lane is not the thread: two warps.
//~ race
__global__ void assembly_lane_bad(int *g)
{
    g[lane()] = threadIdx.x; //~ here
}

// The variable is changed by the assembly.
//~ race
__global__ void assembly_output_bad(int *g)
{
    int i = threadIdx.x;
    asm volatile("and.b32 %0, %0, 1;" : "+r"(i));
    g[i] = threadIdx.x; //~ here
}

// A product of the thread's number.
//~ fp_race-free
__global__ void assembly_index_ok(int *g)
{
    g[fused(threadIdx.x, 2, 1)] = threadIdx.x;
}
