//--blockDim=48 --gridDim=1
// Extra: remainders of wrapped numbers

// [wrap] For n = 10 the threads below 10 wrap, and 2^32 is not a multiple of 48: t = 0 gives 6, and so does t = 16.
//~ race
__global__ void modulo_wrap_bad(unsigned n)
{
    __shared__ int s[48];
    unsigned t = threadIdx.x;
    s[(t - n) % 48u] = t; //~ here
}

// Nothing wraps below 1000.
//~ race-free
__global__ void modulo_wrap_ok(unsigned n)
{
    __requires(n < 1000);
    __shared__ int s[48];
    unsigned t = threadIdx.x;
    s[(t + n) % 48u] = t;
}

// 2^32 is a multiple of 64: the residue survives the wrap.
//~ race-free
__global__ void modulo_wrap_power_ok(unsigned n)
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[(t - n) % 64u] = t;
}

// [division] A negative remainder of a signed number: t - 24 and its opposite end at one absolute value.
//~ race
__global__ void modulo_negative_bad()
{
    __shared__ int s[48];
    int t = threadIdx.x;
    s[abs((t - 24) % 24)] = t; //~ here
}

// [wrap] The sum of two unsigned halves wraps, so the guard lets everybody in.
//~ race
__global__ void wrapped_sum_guard_bad(unsigned n)
{
    __shared__ int s[1];
    unsigned t = threadIdx.x;
    if (t + n < n) s[0] = t; //~ here
}

// Below 2^31 the sum is never smaller than n.
//~ race-free
__global__ void wrapped_sum_guard_ok(unsigned n)
{
    __requires(n < 0x80000000u);
    __shared__ int s[1];
    unsigned t = threadIdx.x;
    if (t + n < n) s[0] = t;
}
