//--blockDim=64 --gridDim=2
// Contracts: the expressions of the language

// Both arms, chosen.
//~ race-free
__global__ void choice_ok(int *out, int n)
{
    int t = threadIdx.x;
    __assert(__ite(n > 0, n, 1) > 0);
    out[blockIdx.x * 64 + t] = t;
}

// The other arm is not positive.
//~ assertion
__global__ void choice_bad(int *out, int n)
{
    int t = threadIdx.x;
    __assert(__ite(n > 0, n, 0) > 0); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// The remainder of a power of two.
//~ race-free
__global__ void remainder_ok(int *out, int n)
{
    __requires(n > 0 && __is_pow2(n));
    int t = threadIdx.x;
    __assert(__mod_pow2(t, 16) < 16);
    out[blockIdx.x * 64 + t] = t;
}

// Of 32 it may be more.
//~ assertion
__global__ void remainder_bad(int *out)
{
    int t = threadIdx.x;
    __assert(__mod_pow2(t, 32) < 16); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// 12 is no power of two.
//~ assertion
__global__ void power_of_two_bad(int *out, int n)
{
    __requires(n >= 8 && n <= 16);
    int t = threadIdx.x;
    __assert(__is_pow2(n)); //~ here
    out[blockIdx.x * 64 + t] = n;
}

// Where a pointer points to, in bytes.
//~ race-free
__global__ void pointer_offset_ok(int *out)
{
    int *p = out + blockIdx.x * 64 + threadIdx.x;
    __assert(__ptr_offset_bytes(p) == 4 * (blockIdx.x * 64 + threadIdx.x));
    *p = 1;
}

// Elements are not bytes.
//~ assertion
__global__ void pointer_offset_bad(int *out)
{
    int *p = out + blockIdx.x * 64 + threadIdx.x;
    __assert(__ptr_offset_bytes(p) == blockIdx.x * 64 + threadIdx.x); //~ here
    *p = 1;
}

// Implications.
//~ assertion
__global__ void implication_bad(int *out)
{
    int t = threadIdx.x;
    __assert(__implies(t > 10, t > 11)); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// A function without effects may be called.
__device__ int twice(int x) { return 2 * x; }

//~ race-free
__global__ void call_in_annotation_ok(int *out)
{
    int t = threadIdx.x;
    __assert(twice(t) >= t);
    out[blockIdx.x * 64 + t] = t;
}
