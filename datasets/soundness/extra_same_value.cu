//--blockDim=64 --gridDim=1
// Extra: when is the same-value excuse an excuse

// [same-value] Every execution of the atomic returns another number, although the expression is the same.
//~ race
__global__ void same_value_atomic_bad(int *c, int *g)
{
    int v = atomicAdd(c, 1);
    g[0] = v; //~ here
}

// [same-value] i is the same expression, not the same iteration.
//~ race
__global__ void same_value_iteration_bad()
{
    __shared__ int s[1];
    for (int i = 0; i < 4; i++) s[0] = i; //~ here
}

// A barrier makes it the same iteration.
//~ race-free
__global__ void same_value_iteration_ok()
{
    __shared__ int s[1];
    for (int i = 0; i < 4; i++) {
        s[0] = i;
        __syncthreads();
    }
}

// All quotients are 0 in a block of 64.
//~ race-free
__global__ void same_value_quotient_ok(int *g)
{
    g[0] = threadIdx.x >> 6;
}

// [same-value] The quotients are 0 and 1.
//~ race
__global__ void same_value_quotient_bad(int *g)
{
    g[0] = threadIdx.x >> 5; //~ here
}

// The char keeps the low byte, which is 0 for multiples of 256.
//~ race-free
__global__ void same_value_narrow_ok(char *c)
{
    c[0] = (char)(threadIdx.x * 256);
}

// [same-value] The low bytes are 0 and 128.
//~ race
__global__ void same_value_narrow_bad(char *c)
{
    c[0] = (char)(threadIdx.x * 128); //~ here
}

// [same-value] The element is read as well, between equal writes.
//~ race
__global__ void same_value_swap_bad(int *g)
{
    g[0] = g[0]; //~ here
}

// [same-value] q[i] differs from iteration to iteration.
//~ race
__global__ void same_value_load_bad(const int *q, int n)
{
    __shared__ int s[1];
    for (int i = 0; i < n; i++) s[0] = q[i]; //~ here
}

// All threads store one unchanged element.
//~ race-free
__global__ void same_value_load_ok(const int *q, int n)
{
    __shared__ int s[1];
    s[0] = q[n];
}
