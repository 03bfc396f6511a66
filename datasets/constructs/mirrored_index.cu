// Indices counted from the other end

//~ race-free
__global__ void mirrored_thread_ok(int *out)
{
    int i = (blockDim.x - 1 - threadIdx.x) + blockIdx.x * blockDim.x;
    out[i] = threadIdx.x;
}

// [index] The thread's number twice.
//~ race
__global__ void mirrored_thread_bad(int *out)
{
    int i = (blockDim.x - 1 - threadIdx.x) + blockIdx.x * threadIdx.x;
    out[i] = threadIdx.x + blockIdx.x; //~ here
}

//~ race-free
__global__ void mirrored_guarded_ok(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + (blockDim.x - (threadIdx.x + 1));
    if (i < n) out[i] = threadIdx.x;
}

//~ race-free
__global__ void mirrored_block_ok(int *out)
{
    int i = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
    out[i] = threadIdx.x;
}

// [axis] Counted from the end of another axis it may fall below 0, where it wraps.
//~ race
__global__ void mirrored_axis_bad(int *out)
{
    unsigned i = blockDim.y - 1 - threadIdx.x;
    if (i > 0xffff0000u) out[0] = threadIdx.x + threadIdx.y; //~ here
}

// [off-by-one] Of the last thread it is below 0.
//~ race
__global__ void mirrored_less_bad(int *out)
{
    unsigned i = blockDim.x - 2 - threadIdx.x;
    if (i > 0xffff0000u) out[0] = blockIdx.x; //~ here
}

// Both ends of one row, each half by half of the threads.
//~ race-free
__global__ void mirrored_swap_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32 && blockDim.x == 64) {
        int a = s[t];
        s[t] = s[blockDim.x - 1 - t];
        s[blockDim.x - 1 - t] = a;
    }
    out[blockIdx.x * blockDim.x + t] = t;
}

// [half] All of the threads.
//~ race
__global__ void mirrored_swap_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (blockDim.x == 64) {
        int a = s[t]; //~ here
        s[t] = t; //~ here
        s[blockDim.x - 1 - t] = a; //~ here
    }
    out[blockIdx.x * blockDim.x + t] = t;
}
