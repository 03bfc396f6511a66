//--blockDim=64 --gridDim=1
// Construct: the conditional operator, as value, as guard of a load, nested

// Both arms are distinct per thread and apart from each other.
//~ race-free
__global__ void ternary_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t < 32 ? t : t + 32] = t;
}

// [guard] The arms overlap: 32 + 16 is also 48.
//~ race
__global__ void ternary_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t < 32 ? t + 16 : t] = t; //~ here
}

// [guard] The load in the arm is an access, under its condition.
//~ race
__global__ void ternary_load_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int x = t < 32 ? s[t + 32] : 0; //~ here
    s[t] = x; //~ here
    out[t] = x;
}

// Only the lower half writes, only the upper half is read.
//~ race-free
__global__ void ternary_load_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int x = t < 32 ? s[t + 32] : 0;
    if (t < 32) s[t] = x;
    out[t] = x;
}

// Nested: three ranges moved by different offsets, none onto another.
//~ race-free
__global__ void ternary_nested_ok()
{
    __shared__ int s[192];
    int t = threadIdx.x;
    s[t < 16 ? t : t < 32 ? t + 48 : t + 96] = t;
}
