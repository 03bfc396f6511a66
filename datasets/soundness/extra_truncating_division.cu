//--blockDim=64 --gridDim=1
// Extra: division and remainder truncate towards zero

// [division] -32 % 32 and 0 % 32 are both 0; all other remainders are apart.
//~ race
__global__ void truncating_remainder_bad()
{
    __shared__ int s[64];
    int d = (int)threadIdx.x - 32;
    s[d % 32 + 32] = d; //~ here
}

// Without thread 0 they are distinct: a remainder that is never negative would collide.
//~ race-free
__global__ void truncating_remainder_ok()
{
    __shared__ int s[64];
    int d = (int)threadIdx.x - 32;
    if (d != -32) s[d % 32 + 32] = d;
}

// [division] -1 / 2 and 1 / 2 are both 0.
//~ race
__global__ void truncating_quotient_bad()
{
    __shared__ int s[64];
    int d = (int)threadIdx.x - 1;
    if (threadIdx.x % 2 == 0) s[d / 2] = d; //~ here
}

// An arithmetic shift rounds down: -1, 0, 1, …
//~ race-free
__global__ void truncating_quotient_ok()
{
    __shared__ int s[64];
    int d = (int)threadIdx.x - 1;
    if (threadIdx.x % 2 == 0) s[(d >> 1) + 1] = d;
}
