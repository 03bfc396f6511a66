//--blockDim=64 --gridDim=1
// Construct: integer and bit functions of CUDA by their meaning

// Halves of a sum that is even: distinct.
//~ race-free
__global__ void library_average_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[__hadd(t, t)] = t;
}

// [index] Neighbours have the same average with 1.
//~ race
__global__ void library_average_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[__rhadd(t, 1)] = t; //~ here
}

// |t - 64| + 0 is one-to-one below 64.
//~ race-free
__global__ void library_sad_ok()
{
    __shared__ int s[65];
    unsigned t = threadIdx.x;
    s[__usad(t, 64u, 0u)] = t;
}

// [index] |t - 20| is not.
//~ race
__global__ void library_sad_bad()
{
    __shared__ int s[65];
    unsigned t = threadIdx.x;
    s[__usad(t, 20u, 1u)] = t; //~ here
}

// The low word shifted left by nothing.
//~ race-free
__global__ void library_funnel_ok()
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[__funnelshift_r(t, 0u, 32u)] = t;
}

// [index] One bit is shifted out.
//~ race
__global__ void library_funnel_bad()
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[__funnelshift_r(t, 0u, 1u)] = t; //~ here
}

// A population count is at most 32: the places before it are nobody else's.
//~ race-free
__global__ void library_popcount_bound_ok(unsigned *mask)
{
    __shared__ int s[64 * 33];
    int t = threadIdx.x;
    s[t * 33 + __popc(mask[t])] = t;
}

// [index] Without rows of their own they meet.
//~ race
__global__ void library_popcount_bound_bad(unsigned *mask)
{
    __shared__ int s[64 * 33];
    int t = threadIdx.x;
    s[t + __popc(mask[t])] = t; //~ here
}

// The same arguments give the same bytes, whoever asks.
//~ race-free
__global__ void library_byte_perm_ok(int *out, unsigned selector)
{
    unsigned t = threadIdx.x;
    if (__byte_perm(7u, 9u, selector) == 3u) out[t] = 1;
}

// [index] What the permutation gives for different arguments may be the same.
//~ race
__global__ void library_byte_perm_bad(int *out, unsigned selector)
{
    unsigned t = threadIdx.x;
    out[__byte_perm(t, 0u, selector)] = t; //~ here
}

// std::clamp between bounds that no thread reaches.
//~ race-free
__global__ void library_clamp_ok(int *out)
{
    int t = threadIdx.x;
    out[std::clamp(t, 0, 63)] = t;
}

// [index] The bound comes too soon.
//~ race
__global__ void library_clamp_bad(int *out)
{
    int t = threadIdx.x;
    out[std::clamp(t, 0, 62)] = t; //~ here
}

// The largest int is above every thread.
//~ race-free
__global__ void library_limits_ok(int *out)
{
    int t = threadIdx.x;
    if (t == std::numeric_limits<int>::max()) out[0] = t;
    if (t < INT_MAX) out[t] = t;
}

// [index] The largest unsigned char is not.
//~ race
__global__ void library_limits_bad(int *out)
{
    int t = threadIdx.x * 8;
    out[std::min<int>(t, std::numeric_limits<unsigned char>::max())] = t; //~ here
}
