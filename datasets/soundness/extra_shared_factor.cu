//--blockDim=64 --gridDim=1
// Extra: elements that are a factor times an even and an odd number, the factor shared or not

// As in the levels of a scan: o times an even and an odd number, less 1.
//~ race-free
__global__ void factor_levels_ok(int n)
{
    __shared__ int s[8192];
    int t = threadIdx.x, o = 1;
    for (int i = 0; i < n && i < 6; i++) {
        s[o * (2 * t + 2) - 1] += s[o * (2 * t + 1) - 1];
        __syncthreads();
        o *= 2;
    }
}

// [index] The factor gets 0, and all threads have element 0.
//~ race
__global__ void factor_zero_bad()
{
    __shared__ int s[1024];
    int t = threadIdx.x, o = 4;
    for (int i = 0; i < 4; i++) {
        s[o * (2 * t + 2)] += s[o * (2 * t + 1)]; //~ here
        __syncthreads();
        o /= 2;
    }
}

// The same, as long as it is not 0.
//~ race-free
__global__ void factor_not_zero_ok()
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    for (int o = 4; o > 0; o /= 2) {
        s[o * (2 * t + 2)] += s[o * (2 * t + 1)];
        __syncthreads();
    }
}

// [index] A parameter may be 0.
//~ race
__global__ void factor_parameter_bad(int *g, int o)
{
    int t = threadIdx.x;
    g[o * (2 * t + 2)] = g[o * (2 * t + 1)]; //~ here
}

// A parameter that is at least 1.
//~ race-free
__global__ void factor_parameter_ok(int *g, int o)
{
    int t = threadIdx.x;
    if (o > 0) g[o * (2 * t + 2)] = g[o * (2 * t + 1)];
}

// [index] The threads that are late in doubling have another factor: thread 1 has 2 · 3 and thread 2 has 1 · 6.
//~ race
__global__ void factor_of_thread_bad(int *g)
{
    int t = threadIdx.x, o = 1;
    if (t & 1) o *= 2;
    g[o * (2 * t + 2) - 1] = g[o * (2 * t + 1) - 1]; //~ here
}

// [loop-carried] Without a barrier the threads are in different levels.
//~ race
__global__ void factor_rounds_bad(int n)
{
    __shared__ int s[8192];
    int t = threadIdx.x, o = 1;
    for (int i = 0; i < n && i < 6; i++) {
        s[o * (2 * t + 2) - 1] += s[o * (2 * t + 1) - 1]; //~ here
        o *= 2;
    }
}

// [width] Eight bytes at elements of four.
//~ race
__global__ void factor_wide_bad(int *g, int o)
{
    int t = threadIdx.x;
    if (o > 0) {
        long long v = *(long long *)(g + o * (2 * t + 1)); //~ here
        *(long long *)(g + o * (2 * t + 2)) = v + 1;       //~ here
    }
}
