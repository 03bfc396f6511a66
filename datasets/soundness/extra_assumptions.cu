//--blockDim=64 --gridDim=1
// Extra: assumptions hold where they stand, and nowhere else

// [vacuity] The assumption is in a branch that no thread takes; it must not empty the rest.
//~ race
__global__ void assumption_in_dead_branch_bad()
{
    __shared__ int s[1];
    int t = threadIdx.x;
    if (t > 100) __assume(0);
    s[0] = t; //~ here
}

// [vacuity] n < 3 is assumed only where n > 5 fails.
//~ race
__global__ void assumption_in_branch_bad(int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    if (n <= 5) __assume(n < 3 && n >= 0);
    s[n < 6 ? t : 64] = t; //~ here
}

// n is positive by assumption, so the rows are apart.
//~ race-free
__global__ void assumption_positive_ok(int *g, int n)
{
    __requires(n > 0 && n < 1000);
    int t = threadIdx.x;
    g[t * n] = t;
}

// [vacuity] Without the lower bound n may be 0.
//~ race
__global__ void assumption_positive_bad(int *g, int n)
{
    __requires(n < 1000);
    int t = threadIdx.x;
    g[t * n] = t; //~ here
}

// Dead code races with nobody.
//~ race-free
__global__ void dead_code_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t > 64) s[0] = t;
    if (0) s[1] = t;
    s[t] = t;
}
