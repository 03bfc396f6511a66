// Naive inclusive scan in shared memory, log2(n) steps. No launch is stated: the labels hold for
// every block and grid size; n is the block size.

// Double buffer: pin = 1 - pout in every iteration, so what a step reads it does not write, and the
// barrier at the end of the step separates it from the next.
//~ race-free
__global__ void scan_naive_double_ok(const float *in, float *out)
{
    extern __shared__ float buf[];
    int tid = threadIdx.x;
    int n = blockDim.x;
    int base = blockIdx.x * n;
    int pout = 0;
    int pin = 1;
    buf[tid] = in[base + tid];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (tid >= offset) {
            buf[pout * n + tid] = buf[pin * n + tid] + buf[pin * n + tid - offset];
        } else {
            buf[pout * n + tid] = buf[pin * n + tid];
        }
        __syncthreads();
    }
    out[base + tid] = buf[pout * n + tid];
}

// Only one half is ever used: pin is pout, so a thread reads tid - offset while that thread overwrites
// it.
//~ race
__global__ void scan_naive_same_half_bad(const float *in, float *out)
{
    extern __shared__ float buf2[];
    int tid = threadIdx.x;
    int n = blockDim.x;
    int base = blockIdx.x * n;
    int pout = 0;
    buf2[tid] = in[base + tid];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        int pin = pout;
        float x = buf2[pin * n + tid];
        if (tid >= offset) x += buf2[pin * n + tid - offset]; //~ here
        buf2[pout * n + tid] = x; //~ here
        __syncthreads();
    }
    out[base + tid] = buf2[pout * n + tid];
}

// The double buffer is right, but the step ends without a barrier: the next step reads what this
// one is still writing, and overwrites the half that slower threads still read.
//~ race
__global__ void scan_naive_no_barrier_bad(const float *in, float *out)
{
    extern __shared__ float buf3[];
    int tid = threadIdx.x;
    int n = blockDim.x;
    int base = blockIdx.x * n;
    int pout = 0;
    int pin = 1;
    buf3[tid] = in[base + tid];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (tid >= offset) {
            buf3[pout * n + tid] = buf3[pin * n + tid] + buf3[pin * n + tid - offset]; //~ here
        } else {
            buf3[pout * n + tid] = buf3[pin * n + tid]; //~ here
        }
    }
    out[base + tid] = buf3[pout * n + tid];
}

// In place, with reads and writes of a step in two phases of their own.
//~ race-free
__global__ void scan_naive_in_place_ok(const float *in, float *out)
{
    extern __shared__ float one[];
    int tid = threadIdx.x;
    int n = blockDim.x;
    int base = blockIdx.x * n;
    one[tid] = in[base + tid];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        float x = 0.0f;
        if (tid >= offset) x = one[tid - offset];
        __syncthreads();
        one[tid] += x;
        __syncthreads();
    }
    out[base + tid] = one[tid];
}
