//--blockDim=64 --gridDim=1
// Extra: unsigned counters that do wrap: loops that end by the wrap, and steps below 0

// [wrap] The loop ends when v falls below 0 and so above 3; all threads come behind it.
//~ race
__global__ void wrap_ends_bad(int *g)
{
    int t = threadIdx.x;
    unsigned v = 3;
    for (; v < 4; v--) {
    }
    if (v > 5) g[1000] = t; //~ here
}

// [wrap] The usual way to count down to 0 with an unsigned counter.
//~ race
__global__ void wrap_reversed_bad(int *g, unsigned n)
{
    int t = threadIdx.x;
    for (unsigned i = n - 1; i < n; i--)
        g[64 * i + t] = t; //~ here
    g[0] = t; //~ here
}

// The same, each thread with a column of its own.
//~ race-free
__global__ void wrap_reversed_ok(int *g)
{
    int t = threadIdx.x;
    for (unsigned i = 7; i < 8; i--)
        g[64 * i + t] = t;
    g[t] = 0;
}

// [wrap] `i + 1` is 0 when the loop ends.
//~ race
__global__ void wrap_next_bad(int *g)
{
    int t = threadIdx.x;
    unsigned i = 5;
    for (; i + 1 > 0; i--)
        g[64 * i + t] = t;
    if (i > 5) g[1000] = t; //~ here
}

// [wrap] 96 below t, in 64 bits.
//~ race
__global__ void wrap_wide_bad(int *g)
{
    int t = threadIdx.x;
    unsigned long long i = t;
    for (int k = 0; k < 3; k++) i -= 32;
    if (i > 1000) g[1000] = t; //~ here
}

// [wrap] The same in a number of rounds that nobody knows.
//~ race
__global__ void wrap_rounds_bad(int *g, int n)
{
    int t = threadIdx.x;
    size_t i = 0;
    for (int k = 0; k < n; k++) --i;
    if (i > 1000) g[1000] = t; //~ here
}

// [wrap] It rises until it is 0.
//~ race
__global__ void wrap_rising_bad(int *g)
{
    int t = threadIdx.x;
    unsigned i = 0xfffffff0u;
    for (; i != 0; i++)
        g[64 * (i & 15) + t] = t;
    g[1024 + i] = t; //~ here
}

// Counting down to 1, and `while (n--)`.
//~ race-free
__global__ void wrap_never_ok(int *g, unsigned n)
{
    int t = threadIdx.x;
    for (unsigned i = n; i > 0; i--)
        g[64 * i + t] = t;
    while (n--)
        g[64 * n + t] = 0;
}
