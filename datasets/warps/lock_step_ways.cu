//--blockDim=64 --gridDim=1 --warp-sync=32
// Lock-step warps: lanes on ways that no statement encloses

// [warp] One half jumps over what the other half does.
//~ race
__global__ void way_jump_bad(int *g)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    if (t & 1) goto odd;
    g[t] = s[t + 1]; //~ here
    goto end;
odd:
    s[t] = 3; //~ here
end:;
}

// They meet at the label.
//~ race-free
__global__ void way_jump_ok(int *g)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    if (t & 1) goto both;
    s[t] = 3;
both:
    g[t] = s[t ^ 1];
}

// [warp] The lanes of the first case leave before those of the label come.
//~ race
__global__ void way_return_bad(int *g)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    if (t & 1) goto odd;
    g[t] = s[t + 1]; //~ here
    return;
odd:
    s[t] = 3; //~ here
}

// [warp] Who comes to the second case by the first may be late.
//~ race
__global__ void way_case_bad(int *g)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    switch (t & 3) {
    case 0: g[t] = s[t + 1]; //~ here
    case 1: s[t] = 2; //~ here
    }
}

// Behind the cases all are together.
//~ race-free
__global__ void way_case_ok(int *g)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    switch (t & 3) {
    case 0: s[t] = 1;
    case 1: s[t] = 2;
    }
    g[t] = s[t ^ 1];
}

// [warp] Lanes whose first condition holds need not wait for the second.
//~ race
__global__ void way_or_bad(int *g)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    if ((t & 1) || (g[t] = s[t + 1])) { //~ here
        s[t] = 3; //~ here
    }
}

// [warp] Nor need those whose first condition fails.
//~ race
__global__ void way_and_bad(int *g)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    if ((t & 1) && (s[t] = 3)) //~ here
        g[t] = 1;
    else
        g[t] = s[t ^ 1]; //~ here
}

// Behind the condition they do.
//~ race-free
__global__ void way_and_ok(int *g)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    bool both = (t & 1) && (s[t] = 3);
    g[t] = both + s[t ^ 1];
}
