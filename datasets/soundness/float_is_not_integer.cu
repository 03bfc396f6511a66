//--blockDim=64 --gridDim=1
// Row: floats are not integers

// [guard] f may be 0.5: no integer lies between 0 and 1, but floats do.
// Comparisons of floats are uninterpreted.
//~ race
__global__ void float_is_not_integer_bad(float f)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (f > 0.f && f < 1.f) s[0] = t; //~ here
}

// The repair does not depend on f.
//~ race-free
__global__ void float_is_not_integer_ok(float f)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (f > 0.f && f < 1.f) s[t] = t;
}
