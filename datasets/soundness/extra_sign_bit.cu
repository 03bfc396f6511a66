//--blockDim=64 --gridDim=1
// Extra: a left shift may reach the sign bit of a signed type: 1 << 31 is the smallest int, not an overflow

// [sign bit] All threads with the bit set, and thread 9.
//~ race
__global__ void sign_bit_test_bad(int *g, int n)
{
    int t = threadIdx.x;
    if (t == 9) g[0] = 1; //~ here
    if (t == 5) {
        if (n & (1 << 31)) g[0] = 2; //~ here
    }
}

// [sign bit] Lanes 31 and 63 have the sign bit.
//~ race
__global__ void sign_bit_lane_bad(int *g)
{
    int t = threadIdx.x;
    int bit = 1 << (t & 31);
    if (bit < 0) g[0] = t; //~ here
}

// Only lane 31 of the first 32 has it.
//~ race-free
__global__ void sign_bit_lane_ok(int *g)
{
    int t = threadIdx.x;
    int bit = 1 << (t & 31);
    if (bit < 0 && t < 32) g[0] = t;
}

// [sign bit] A byte promoted to int, moved to the top.
//~ race
__global__ void sign_bit_byte_bad(int *g, unsigned char *c)
{
    int t = threadIdx.x;
    if (t == 9) g[0] = 1; //~ here
    if (t == 5) {
        if (c[0] << 24 < 0) g[0] = 2; //~ here
    }
}

// [sign bit] The last of 32 rounds.
//~ race
__global__ void sign_bit_loop_bad(int *g)
{
    int t = threadIdx.x;
    int bit = 1;
    for (int i = 0; i < 32; i++) {
        if (bit < 0) g[0] = t; //~ here
        bit <<= 1;
    }
}

// [sign bit] The loop ends when the bit has left.
//~ race
__global__ void sign_bit_until_zero_bad(int *g)
{
    int t = threadIdx.x;
    for (int bit = 1; bit > 0; bit <<= 1)
        g[t * 32 + 31 - __clz(bit)] = t; //~ here
    g[t / 2 * 32] = t; //~ here
}

// Every thread has its own 31 elements.
//~ race-free
__global__ void sign_bit_rows_ok(int *g)
{
    int t = threadIdx.x;
    for (int bit = 0; bit < 31; bit++)
        g[t * 31 + bit] = (1 << bit) & t;
}

// A doubling distance below a limit.
//~ race-free
__global__ void sign_bit_distance_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (int d = 1; d < 64; d <<= 1) {
        if (t % (d << 1) == 0) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) g[0] = s[0];
}
