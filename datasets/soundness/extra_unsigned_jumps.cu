// Extra: unsigned counters that fall by steps that jump over where the loop ends

// [jump] From 1 down by 3 is beyond 2^32: the round behind it is at another place.
//~ race
__global__ void jump_three_bad(int *out)
{
    __shared__ int s[64];
    for (unsigned i = threadIdx.x; i > 0; i -= 3)
        if (i < 64) s[i] = threadIdx.x; //~ here
    out[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

// [wrapped] Only what has wrapped is stored at.
//~ race
__global__ void jump_wrapped_bad(int *out)
{
    unsigned t = threadIdx.x;
    for (unsigned i = t; i != 0; i -= 2)
        if (i > 0x7fffffff) { out[i & 1] = t; break; } //~ here
}

// A step of one comes to 0.
//~ race-free
__global__ void jump_one_ok(int *out)
{
    for (unsigned i = threadIdx.x; i != 0; i--)
        if (i > 0x7fffffff) out[0] = threadIdx.x;
}

// It stops short of 0.
//~ race-free
__global__ void jump_short_ok(int *out)
{
    for (unsigned i = threadIdx.x; i >= 4; i -= 4)
        if (i > 0x7fffffff) out[0] = threadIdx.x;
}

// [stride] By the threads of a block, and the last round is not left out.
//~ race
__global__ void jump_stride_bad(int *out)
{
    for (unsigned i = threadIdx.x + 2 * blockDim.x; i > 0; i -= blockDim.x + 1)
        if (i > 0x7fffffff) { out[0] = threadIdx.x; break; } //~ here
}

// Rounds of the stride: what is below it ends the loop.
//~ race-free
__global__ void jump_stride_ok(int *out)
{
    for (unsigned i = threadIdx.x + 2 * blockDim.x; i >= blockDim.x; i -= blockDim.x)
        if (i > 0x7fffffff) out[0] = threadIdx.x;
}

// [step] A step that differs from thread to thread.
//~ race
__global__ void jump_own_step_bad(int *out)
{
    int rounds = 0;
    for (unsigned i = 100; i > 0; i -= threadIdx.x + 1) {
        if (i > 1000) out[0] = threadIdx.x; //~ here
        if (++rounds > 200) break;
    }
}

// [bound] A start of the loop before.
//~ race
__global__ void jump_after_loop_bad(int *out)
{
    int a = 0, rounds = 0;
    while (a < threadIdx.x) a++;
    for (unsigned i = a; i > 0; i -= 3) {
        if (i > 1000) out[0] = threadIdx.x; //~ here
        if (++rounds > 200) break;
    }
}
