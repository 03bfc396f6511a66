//--blockDim=64 --gridDim=1
// Extra: shifts and 24-bit products that lose bits on purpose

// [lost bits] The sign extension of four bits: lanes 16 apart meet.
//~ race
__global__ void lost_sign_extension_bad(int *g)
{
    int t = threadIdx.x;
    g[((t << 28) >> 28) + 8] = t; //~ here
}

// The first 16 lanes have numbers of four bits of their own.
//~ race-free
__global__ void lost_sign_extension_ok(int *g)
{
    int t = threadIdx.x;
    if (t < 16) g[((t << 28) >> 28) + 8] = t;
}

// [lost bits] The same in two steps.
//~ race
__global__ void lost_in_two_steps_bad(int *g)
{
    int t = threadIdx.x;
    t = t << 27;
    t >>= 27;
    g[t + 16] = threadIdx.x; //~ here
}

// No lane has a bit that is lost.
//~ race-free
__global__ void lost_in_two_steps_ok(int *g)
{
    int t = threadIdx.x;
    t = t << 25;
    t >>= 25;
    g[t + 64] = threadIdx.x;
}

// [lost bits] Only the lowest bit of the lane is left.
//~ race
__global__ void lost_wide_shift_bad(int *g)
{
    long long t = threadIdx.x;
    t <<= 63;
    if (t == 0) g[0] = threadIdx.x; //~ here
}

// [24 bits] The upper eight bits of an operand do not count.
//~ race
__global__ void lost_product_bad(int *g)
{
    g[__umul24(threadIdx.x << 22, 1)] = threadIdx.x; //~ here
}

// The 22 bits and two are all that there are.
//~ race-free
__global__ void lost_product_ok(int *g)
{
    if (threadIdx.x < 4) g[__umul24(threadIdx.x << 22, 1)] = threadIdx.x;
}

// [24 bits] The product with 2 to the power of 24 is zero.
//~ race
__global__ void lost_factor_bad(int *g)
{
    g[__umul24(threadIdx.x, 1u << 24)] = threadIdx.x; //~ here
}

// [24 bits] What was added is lost again: lane 5 and lane 6 meet.
//~ race
__global__ void lost_sum_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 5) g[__mul24(t + (1 << 24), 2)] = t; //~ here
    if (t == 6) g[10] = t; //~ here
}

// A sign of 24 bits is extended.
//~ race-free
__global__ void lost_sign_of_24_bits_ok(int *g)
{
    int t = threadIdx.x;
    g[__mul24(t - 32, 4) + 128] = t;
}

// [24 bits] Rows of one element too few.
//~ race
__global__ void lost_row_bad(int *g)
{
    g[__mul24(threadIdx.x / 8, 7) + threadIdx.x % 8] = threadIdx.x; //~ here
}

//~ race-free
__global__ void lost_row_ok(int *g)
{
    g[__mul24(threadIdx.x / 8, 8) + threadIdx.x % 8] = threadIdx.x;
}
