//--blockDim=64 --gridDim=1
// Row: break restricts nothing after the loop

// [guard] The store runs whether or not the loop was left by break.
//~ race
__global__ void break_restricts_nothing_bad(const int *q, int n)
{
    __shared__ int s[64];
    for (int i = 0; i < n; i++) {
        if (q[i]) break;
    }
    s[0] = threadIdx.x; //~ here
}

// [guard] After a break i may be smaller than n, although the loop's condition failed on the other exit.
//~ race
__global__ void break_exit_value_bad(const int *q, int n)
{
    __shared__ int s[64];
    int i;
    for (i = 0; i < n; i++) {
        if (q[i]) break;
    }
    if (i < n) s[0] = threadIdx.x; //~ here
}

// The index is the thread's own.
//~ race-free
__global__ void break_restricts_nothing_ok(const int *q, int n)
{
    __shared__ int s[64];
    for (int i = 0; i < n; i++) {
        if (q[i]) break;
    }
    s[threadIdx.x] = threadIdx.x;
}
