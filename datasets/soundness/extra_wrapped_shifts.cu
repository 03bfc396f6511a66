//--blockDim=64 --gridDim=1
// Shifts that reach the sign bit from below their limit, and counters that pass the end of their type from a known start.

// [shift] Three bits at once: 2²⁸, then the sign bit, which is below the limit again.
//~ race
__global__ void shifted_by_three_bad(int *out, int n)
{
    int t = threadIdx.x;
    for (int s = 2, k = 0; s < (1 << 30) && k < n; s <<= 3, k++) {
        if (s < 0) {
            out[0] = t; //~ here
        }
    }
}

// It stays below the sign bit for as long as the loop goes on.
//~ race-free
__global__ void shifted_by_three_ok(int *out, int n)
{
    int t = threadIdx.x;
    for (int s = 2, k = 0; s < (1 << 28) && k < n; s <<= 3, k++) {
        if (s < 0) {
            out[0] = t;
        }
    }
}

// [shift] The limit itself is shifted, too.
//~ race
__global__ void shifted_at_limit_bad(int *out, int n)
{
    int t = threadIdx.x;
    for (int s = 1, k = 0; s <= (1 << 30) && k < n; s <<= 1, k++) {
        if (s < 0) {
            out[0] = t; //~ here
        }
    }
}

// One below the limit is the last that is.
//~ race-free
__global__ void shifted_at_limit_ok(int *out, int n)
{
    int t = threadIdx.x;
    for (int s = 1, k = 0; s < (1 << 30) && k < n; s <<= 1, k++) {
        if (s < 0) {
            out[0] = t;
        }
    }
}

// [shift] Behind the loop.
//~ race
__global__ void shifted_after_bad(int *out)
{
    int t = threadIdx.x, s;
    for (s = 2; s < (1 << 30) && s > 0; s <<= 3) {
    }
    if (s < 0) {
        out[0] = t; //~ here
    }
}

// [divergence] Only some wait, since it is below 0.
//~ divergence
__global__ void shifted_wait_bad(void)
{
    int t = threadIdx.x, s;
    for (s = 2; s < (1 << 30) && s > 0; s <<= 3) {
    }
    if (s < 0 && t > 3) {
        __syncthreads(); //~ here
    }
}

// A number of bits of the block.
//~ race-free
__global__ void shifted_to_block_ok(int *out)
{
    int t = threadIdx.x;
    for (int s = 1; s < (int)blockDim.x; s <<= 3) {
        if (s < 0) {
            out[0] = t;
        }
    }
}

// [wrap] The second value is past the end of the type, and small.
//~ race
__global__ void risen_past_end_bad(int *out)
{
    int t = threadIdx.x;
    for (unsigned i = 0xfffffff0u; i < 0xfffffffeu; i += 32) {
        if (i < 100) {
            out[0] = t; //~ here
        }
    }
}

// It meets the bound first.
//~ race-free
__global__ void risen_to_end_ok(int *out)
{
    int t = threadIdx.x;
    for (unsigned i = 0xfffffff0u; i < 0xfffffffeu; i += 7) {
        if (i < 100) {
            out[0] = t;
        }
    }
}

// [wrap] From 0 down: the first step wraps.
//~ race
__global__ void fallen_at_once_bad(int *out, int n, int s)
{
    int t = threadIdx.x;
    unsigned x = 0;
    for (int k = 0; x >= s && k < n; k++) {
        if (k == 1 && x > 1000) {
            out[0] = t; //~ here
        }
        x -= 100;
    }
}

// [wrap] The same until a number is met.
//~ race
__global__ void fallen_until_bad(int *out, int n, int s)
{
    int t = threadIdx.x;
    unsigned long long x = 0;
    for (int k = 0; x != s && k < n; k++) {
        if (k == 1 && x > 1000) {
            out[0] = t; //~ here
        }
        --x;
    }
}

// [wrap] Steps that differ lead some threads past the end.
//~ race
__global__ void risen_by_thread_bad(int *out)
{
    unsigned t = threadIdx.x;
    for (unsigned i = 0xfffffff0u; i < 0xfffffffeu; i += t) {
        if (i < 100) {
            out[0] = t; //~ here
            break;
        }
        if (t == 0) {
            break;
        }
    }
}

// [wrap] Bounds that differ let some threads go on past it.
//~ race
__global__ void risen_to_thread_bad(int *out)
{
    unsigned t = threadIdx.x;
    for (unsigned i = 0xfffffff0u; i < 0xfffffff0u + (t & 15); i += 32) {
        if (i < 100) {
            out[0] = t; //~ here
            break;
        }
    }
}

// [shift] The limit is a little less for each thread.
//~ race
__global__ void shifted_below_thread_bad(int *out, int n)
{
    int t = threadIdx.x;
    for (int s = 2, k = 0; s < (1 << 30) - t && k < n; s <<= 3, k++) {
        if (s < 0) {
            out[0] = t; //~ here
        }
    }
}

// [shift] Numbers below 0 are shifted to 0 in the end.
//~ race
__global__ void shifted_from_below_bad(int *out, int n)
{
    int s = (int)threadIdx.x - 4, i = 0;
    while (s < 100 && i < n) {
        s <<= 3;
        i++;
    }
    if (s == 0 && threadIdx.x < 4) {
        out[0] = threadIdx.x; //~ here
    }
}
