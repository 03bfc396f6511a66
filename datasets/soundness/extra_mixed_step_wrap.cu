//--blockDim=96 --gridDim=1
// Extra: an int advanced by an unsigned number wraps, it does not overflow

// [wrap] i + blockDim.x is unsigned: it passes 2147483647 and comes back negative, and 2^32 is not a multiple of 96.
// Thread 20 gives remainder 0 before the wrap, thread 84 behind it.
//~ race
__global__ void mixed_step_wrap_bad(int *g)
{
    int i = 2147483500 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        g[i % 96 + 96] = threadIdx.x; //~ here
        i += blockDim.x;
    }
}

// Far from the limit the remainder is the thread's own.
//~ race-free
__global__ void mixed_step_wrap_ok(int *g)
{
    int i = 2147483000 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        g[i % 96 + 96] = threadIdx.x;
        i += blockDim.x;
    }
}

// [wrap] Without a loop: the sum of an int and an unsigned number is unsigned, and so is its comparison with 0.
//~ race
__global__ void mixed_sum_sign_bad()
{
    __shared__ int s[1];
    int d = -50;
    if (d + threadIdx.x > 100) s[0] = threadIdx.x; //~ here
}

// As an int the sum never reaches 100.
//~ race-free
__global__ void mixed_sum_sign_ok()
{
    __shared__ int s[1];
    int d = -50, t = threadIdx.x;
    if (d + t > 100) s[0] = t;
}
