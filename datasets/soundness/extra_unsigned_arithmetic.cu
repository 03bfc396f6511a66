//--blockDim=64 --gridDim=1
// Extra: wrap, signedness and truncation

// [wrap] i is -32 as an unsigned number for t < 32 and passes i < 64u not at all; for t >= 32 the loop comes down once.
//~ race
__global__ void unsigned_countdown_bad()
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    for (unsigned i = t; i < 64u; i -= 32) s[i] = t; //~ here
}

// One step of 64 leaves the range at once.
//~ race-free
__global__ void unsigned_countdown_ok()
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    for (unsigned i = t; i < 64u; i -= 64) s[i] = t;
}

// [wrap] d is negative for t < 40, and the comparison with 22u is unsigned.
//~ race
__global__ void mixed_comparison_bad()
{
    __shared__ int s[1];
    int d = (int)threadIdx.x - 40;
    if (d > 22u) s[0] = threadIdx.x; //~ here
}

// With a signed constant only thread 63 passes.
//~ race-free
__global__ void mixed_comparison_ok()
{
    __shared__ int s[1];
    int d = (int)threadIdx.x - 40;
    if (d > 22) s[0] = threadIdx.x;
}

// [wrap] t * 2^31 is 0 for every even t.
//~ race
__global__ void wrapped_product_bad()
{
    __shared__ int s[128];
    unsigned t = threadIdx.x;
    unsigned i = t * 0x80000000u;
    s[i >> 25] = t; //~ here
}

// t * 2^25 fits for t < 128.
//~ race-free
__global__ void wrapped_product_ok()
{
    __shared__ int s[128];
    unsigned t = threadIdx.x;
    unsigned i = t * 0x02000000u;
    s[i >> 25] = t;
}

// [wrap] The upper half of the 64-bit number is cut off.
//~ race
__global__ void truncated_long_bad()
{
    __shared__ int s[64];
    unsigned long long w = ((unsigned long long)threadIdx.x << 32) + (threadIdx.x & 1);
    s[(unsigned)w] = threadIdx.x; //~ here
}

// The upper half is used.
//~ race-free
__global__ void truncated_long_ok()
{
    __shared__ int s[64];
    unsigned long long w = ((unsigned long long)threadIdx.x << 32) + (threadIdx.x & 1);
    s[w >> 32] = threadIdx.x;
}

// [wrap] A byte counter wraps at 256: thread 56 comes to element 0 in its third step.
//~ race
__global__ void byte_counter_bad()
{
    __shared__ int s[512];
    unsigned char c = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        s[c] = threadIdx.x; //~ here
        c += 100;
    }
}

// Two bytes do not wrap.
//~ race-free
__global__ void byte_counter_ok()
{
    __shared__ int s[512];
    unsigned short c = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        s[c] = threadIdx.x;
        c += 100;
    }
}

// Steps of 64 keep the residue modulo 64, also across the wrap.
//~ race-free
__global__ void byte_counter_residue_ok()
{
    __shared__ int s[256];
    unsigned char c = threadIdx.x;
    for (int k = 0; k < 9; k++) {
        s[c] = threadIdx.x;
        c += 64;
    }
}
