//--blockDim=64 --gridDim=1
// Soundness: loops with barriers that end as their counter wraps: what comes behind them is reached

// [wrap] Down past 0.
//~ race
__global__ void exit_below_zero_bad(int *g)
{
    for (unsigned i = 3; i < 4; i--) __syncthreads();
    g[0] = threadIdx.x; //~ here
}

// [wrap] Up past the largest number.
//~ race
__global__ void exit_above_all_bad(int *g)
{
    for (unsigned i = 0xfffffffdu; i; i++) __syncthreads();
    g[0] = threadIdx.x; //~ here
}

// [wrap] Of one byte.
//~ race
__global__ void exit_byte_bad(int *g)
{
    for (unsigned char i = 250; i; i++) __syncthreads();
    g[0] = threadIdx.x; //~ here
}

// [wrap] By two steps that make a whole turn.
//~ race
__global__ void exit_step_bad(int *g)
{
    for (unsigned i = 1; i != 0; i += 0x55555555u) __syncthreads();
    g[0] = threadIdx.x; //~ here
}

// [wrap] As a number with a sign.
//~ race
__global__ void exit_sign_bad(int *g)
{
    for (unsigned i = 0x7ffffffeu; (int)i > 0; i++) __syncthreads();
    g[0] = threadIdx.x; //~ here
}

// [wrap] The number of rounds, without a barrier.
//~ race
__global__ void exit_count_bad(int *g)
{
    int count = 0;
    for (unsigned char i = 250; i; i++) count++;
    g[threadIdx.x * (count - 6)] = threadIdx.x; //~ here
}

// [wrap] A scan whose distance falls past 0; the last step has no barrier before it.
//~ race
__global__ void exit_scan_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (unsigned i = 5; i < 6; i--) {
        int v = s[(t + (1 << i)) % 64];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t < 32) s[t] += s[t + 16]; //~ here
}

// With one.
//~ race-free
__global__ void exit_scan_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (unsigned i = 5; i < 6; i--) {
        int v = s[(t + (1 << i)) % 64];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t < 16) s[t] += s[t + 16];
}

// Each its own behind the loop.
//~ race-free
__global__ void exit_own_ok(int *g)
{
    for (unsigned char i = 250; i; i++) __syncthreads();
    g[threadIdx.x] = threadIdx.x;
}
