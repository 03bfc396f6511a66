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
//~ race-free
__global__ void assembly_index_ok(int *g)
{
    g[fused(threadIdx.x, 2, 1)] = threadIdx.x;
}

// Its lane and its warp.
//~ race-free
__global__ void assembly_lane_ok(int *g)
{
    g[threadIdx.x / 32 * 32 + lane()] = threadIdx.x;
}

__device__ unsigned of_register()
{
    unsigned x, n, b;
    asm("mov.u32 %0, %%tid.x;" : "=r"(x));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(n));
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(b));
    return b * n + x;
}

// The registers are what CUDA's names are.
//~ race-free
__global__ void assembly_register_ok(int *g)
{
    g[of_register()] = threadIdx.x;
}

__device__ unsigned masked(unsigned a, unsigned b)
{
    unsigned r;
    asm("and.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

// [index] Two threads have one masked number.
//~ race
__global__ void assembly_masked_bad(int *g)
{
    g[masked(threadIdx.x, 62)] = threadIdx.x; //~ here
}

__device__ unsigned doubled(unsigned a)
{
    unsigned r;
    asm("add.u32 %0, %1, %1;\n\tshr.u32 %0, %0, 2;" : "=r"(r) : "r"(a));
    return r;
}

// [index] The second instruction changes the result.
//~ race
__global__ void assembly_two_bad(int *g)
{
    g[doubled(threadIdx.x)] = threadIdx.x; //~ here
}

__device__ unsigned large(unsigned a)
{
    unsigned r;
    asm("mul.lo.u32 %0, %1, 2147483648;" : "=r"(r) : "r"(a));
    return r;
}

// [overflow] The product wraps.
//~ race
__global__ void assembly_wrap_bad(int *g)
{
    g[large(threadIdx.x) >> 31] = threadIdx.x; //~ here
}
