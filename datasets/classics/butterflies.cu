// Butterflies: the bits of an index from that of a stride on are moved up, and the free places tell the elements of one thread
// apart. The stride is a power of two for various reasons, or is none.

// Merges of a bitonic sort: two elements a thread.
__global__ void butterfly_merge_ok(int *v, int log) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    int n = 1 << log;
    s[t] = v[t];
    s[t + blockDim.x] = v[t + blockDim.x];
    for (int stride = n / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        int pos = 2 * t - (t & (stride - 1));
        int a = s[pos];
        int b = s[pos + stride];
        if (a > b) {
            s[pos] = b;
            s[pos + stride] = a;
        }
    }
}

// The same without the barrier between stages.
__global__ void butterfly_merge_bad(int *v, int log) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    int n = 1 << log;
    for (int stride = n / 2; stride > 0; stride >>= 1) {
        int pos = 2 * t - (t & (stride - 1));
        int a = s[pos]; //~ here
        s[pos] = a + t; //~ here
        s[pos + stride] = t; //~ here
    }
}

// Any stride: 3 puts places of two threads onto each other.
__global__ void butterfly_any_bad(int *v, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (stride == 0)
        return;
    unsigned pos = 2 * t - (t & (stride - 1));
    v[pos] = t; //~ here
    v[pos + stride] = t; //~ here
}

// The test for powers of two lets 0 through, which the formula bears: then both elements of a thread are one.
__global__ void butterfly_tested_ok(int *v, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if ((stride & (stride - 1)) != 0)
        return;
    unsigned pos = 2 * t - (t & (stride - 1));
    v[pos] = t;
    v[pos + stride] = t;
}

// With an offset that does not vanish with the stride, 0 makes neighbours of the two elements.
__global__ void butterfly_tested_zero_bad(int *v, unsigned stride) {
    unsigned t = threadIdx.x;
    if ((stride & (stride - 1)) != 0)
        return;
    unsigned pos = 4 * t - 3 * (t & (stride - 1));
    v[pos] = t; //~ here
    v[pos + 3 * stride - 1] = t; //~ here
}

// Four elements a thread, as a transform of radix 4 has them.
__global__ void butterfly_radix4_ok(float *v, int stride) {
    __requires(__is_pow2(stride));
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int low = t & (stride - 1);
    int i0 = ((t - low) << 2) + low;
    int i1 = i0 + stride;
    int i2 = i1 + stride;
    int i3 = i2 + stride;
    v[i0] = t;
    v[i1] = t;
    v[i2] = t;
    v[i3] = t;
}

// Room for two, and four are written.
__global__ void butterfly_radix4_bad(float *v, int log) {
    int t = threadIdx.x;
    int stride = 1 << log;
    int low = t & (stride - 1);
    int i0 = ((t - low) << 1) + low;
    v[i0] = t; //~ here
    v[i0 + stride] = t;
    v[i0 + 2 * stride] = t; //~ here
}

// Another mask than the stride's.
__global__ void butterfly_mask_bad(int *v, int log) {
    int t = threadIdx.x;
    int stride = 1 << log;
    int pos = 2 * t - (t & (2 * stride - 1));
    v[pos] = t; //~ here
    v[pos + stride] = t; //~ here
}

// Negative numbers leave their remainders at other places; these are none.
__global__ void butterfly_centred_ok(int *v) {
    int t = threadIdx.x;
    __shared__ int s[4096];
    for (int stride = 1; stride < 1024; stride *= 2) {
        __syncthreads();
        int quotient = t / stride, rest = t % stride;
        s[2 * stride * quotient + rest] = t;
        s[2 * stride * quotient + rest + stride] = t;
    }
}

// Left of the middle the quotient is rounded up, and 0 is met from both sides.
__global__ void butterfly_centred_bad(int *v, int stride) {
    int t = (int)threadIdx.x - 32;
    if (stride < 1)
        return;
    int pos = 1000 + 2 * t - t % stride;
    v[pos] = t; //~ here
    v[pos + stride] = t; //~ here
    if (t < 0)
        v[pos - stride] = t; //~ here
}
