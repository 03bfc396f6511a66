//--blockDim=64 --gridDim=1
// Extra: guards that look contradictory

// [guard] p flips between the iterations: it is not one value.
//~ race
__global__ void flipping_guard_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    bool p = false;
    for (int i = 0; i < n; i++) {
        if (p) s[t] = i; //~ here
        else x = s[63 - t]; //~ here
        p = !p;
    }
    out[t] = x;
}

// [guard] p is assigned between the two tests.
//~ race
__global__ void reassigned_guard_bad(int *out, int p)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    if (p > 0) s[t] = t; //~ here
    p = -p;
    if (p <= 0) x = s[63 - t]; //~ here
    out[t] = x;
}

// The parameter stays as it is.
//~ race-free
__global__ void reassigned_guard_ok(int *out, int p)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    if (p > 0) s[t] = t;
    if (p <= 0) x = s[63 - t];
    out[t] = x;
}

// [guard] Neither v < 1 nor v >= 1 holds for a NaN: the last arm is reached.
//~ race
__global__ void nan_guard_bad(const float *q)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    float v = q[t];
    if (v < 1.f) s[t] = 1; //~ here
    else if (v >= 1.f) s[t] = 2; //~ here
    else s[0] = t + 3; //~ here
}

// [guard] !(v < 1) is not v >= 1: both statements run when v is a NaN, and never for a number.
//~ race
__global__ void nan_negated_guard_bad(float v, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    if (!(v < 1.f)) s[t] = t; //~ here
    if (!(v >= 1.f)) x = s[63 - t]; //~ here
    out[t] = x;
}

// One comparison and its negation.
//~ race-free
__global__ void nan_negated_guard_ok(float v, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    if (!(v < 1.f)) s[t] = t;
    if (v < 1.f) x = s[63 - t];
    out[t] = x;
}

// [guard] !!t is 1 for every thread but the first.
//~ race
__global__ void double_negation_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[!!t] = t; //~ here
}

// As a factor it changes nothing.
//~ race-free
__global__ void double_negation_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[!!t * t] = t;
}
