// Butterflies: the bits of an index from that of a stride on are moved up, and the free places tell the elements of one thread
// apart. The stride is a power of two for various reasons, or is none.

// Merges of a bitonic sort: two elements a thread.
//~ race-free
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
//~ race
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
//~ race
__global__ void butterfly_any_bad(int *v, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (stride == 0)
        return;
    unsigned pos = 2 * t - (t & (stride - 1));
    v[pos] = t; //~ here
    v[pos + stride] = t; //~ here
}

// The test for powers of two lets 0 through, which the formula bears: then both elements of a thread are one.
//~ race-free
__global__ void butterfly_tested_ok(int *v, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if ((stride & (stride - 1)) != 0)
        return;
    unsigned pos = 2 * t - (t & (stride - 1));
    v[pos] = t;
    v[pos + stride] = t;
}

// With an offset that does not vanish with the stride, 0 makes neighbours of the two elements.
//~ race
__global__ void butterfly_tested_zero_bad(int *v, unsigned stride) {
    unsigned t = threadIdx.x;
    if ((stride & (stride - 1)) != 0)
        return;
    unsigned pos = 4 * t - 3 * (t & (stride - 1));
    v[pos] = t; //~ here
    v[pos + 3 * stride - 1] = t; //~ here
}

// Four elements a thread, as a transform of radix 4 has them.
//~ race-free
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
//~ race
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
//~ race
__global__ void butterfly_mask_bad(int *v, int log) {
    int t = threadIdx.x;
    int stride = 1 << log;
    int pos = 2 * t - (t & (2 * stride - 1));
    v[pos] = t; //~ here
    v[pos + stride] = t; //~ here
}

// Negative numbers leave their remainders at other places; these are none.
//~ race-free
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
//~ race
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

// Odd-even merges: from the second stage on the lower element of a pair is one stride back, where there is one.
//~ race-free
__global__ void butterfly_odd_even_ok(unsigned *v, unsigned n) {
    __requires(__is_pow2(n));
    __shared__ unsigned s[1024];
    s[threadIdx.x] = v[threadIdx.x];
    s[threadIdx.x + blockDim.x] = v[threadIdx.x + blockDim.x];
    for (unsigned size = 2; size <= n; size <<= 1) {
        unsigned stride = size / 2;
        unsigned offset = threadIdx.x & (stride - 1);
        __syncthreads();
        unsigned pos = 2 * threadIdx.x - offset;
        s[pos] = min(s[pos], s[pos + stride]);
        for (stride >>= 1; stride > 0; stride >>= 1) {
            __syncthreads();
            pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            if (offset >= stride) {
                unsigned low = s[pos - stride];
                s[pos - stride] = min(low, s[pos]);
                s[pos] = threadIdx.x;
            }
        }
    }
}

// Two strides back is another thread's.
//~ race
__global__ void butterfly_odd_even_bad(unsigned *v, unsigned n) {
    __requires(__is_pow2(n));
    __shared__ unsigned s[1024];
    for (unsigned stride = n / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        if (threadIdx.x >= stride) {
            s[pos - 2 * stride] = threadIdx.x; //~ here
            s[pos] = threadIdx.x; //~ here
        }
    }
}

// Rows of a power of two of elements, whose logarithm the kernel is given.
//~ race-free
__global__ void butterfly_rows_ok(float *v, int log) {
    int n = 1 << log;
    int base = blockIdx.x << log;
    for (int pos = threadIdx.x; pos < n; pos += blockDim.x)
        v[base + pos] = pos;
}

// Each row begins half a row further on.
//~ race
__global__ void butterfly_rows_bad(float *v, int log) {
    int n = 2 << log;
    int base = blockIdx.x << log;
    for (int pos = threadIdx.x; pos < n; pos += blockDim.x)
        v[base + pos] = pos; //~ here
}

// Differences of numbers without a sign do not wrap where a guard orders them.
//~ race-free
__global__ void ordered_difference_ok(unsigned *v, unsigned offset, unsigned n) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= offset && t < n)
        v[t - offset] = t;
}

// Without the guard's order they do: a quarter of all numbers further on is three quarters back.
//~ race
__global__ void ordered_difference_bad(unsigned *v, unsigned offset) {
    unsigned t = threadIdx.x;
    __shared__ unsigned s[64];
    if (t >= 1)
        s[(t - offset) & 63] = t; //~ here
    v[t] = t;
}

// A product that wraps is less than what it is a multiple of, and the difference wraps with it.
//~ race
__global__ void ordered_product_bad(unsigned *v, unsigned mask, unsigned offset) {
    unsigned t = threadIdx.x * 0x80000001u;
    if ((t & mask) >= offset)
        v[(2 * t - (t & mask) - offset) % 64] = threadIdx.x; //~ here
}
