//--blockDim=64 --gridDim=1
// Extra: a load of one phase is not the load of another

// [load] k is the value before the update, s[c] the value after it: 2t + k and 2t + 1 + c[0] can be equal.
//~ race
__global__ void stale_load_bad(int *s)
{
    __shared__ int c[1];
    int t = threadIdx.x;
    if (t == 0) c[0] = 0;
    __syncthreads();
    int k = c[0];
    __syncthreads();
    if (t == 0) c[0] = 1;
    __syncthreads();
    s[2 * t + k] = t; //~ here
    s[2 * t + 1 + c[0]] = -t; //~ here
}

// Both indices use the same load.
//~ race-free
__global__ void stale_load_ok(int *s)
{
    __shared__ int c[1];
    int t = threadIdx.x;
    if (t == 0) c[0] = 0;
    __syncthreads();
    if (t == 0) c[0] = 1;
    __syncthreads();
    int k = c[0];
    s[2 * t + k] = t;
    s[2 * t + 1 + k] = -t;
}

// [load] q[0] and q[1] are different elements: the guards of two iterations do not contradict each other.
//~ race
__global__ void load_per_iteration_bad(const int *q, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < 2; i++) {
        int v = q[i];
        if (v) s[t] = i; //~ here
        else x = s[63 - t]; //~ here
    }
    out[t] = x;
}

// With a barrier the guards are those of one iteration, and one load decides for all threads.
//~ race-free
__global__ void load_per_iteration_ok(const int *q, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < 2; i++) {
        int v = q[i];
        if (v) s[t] = i;
        else x = s[63 - t];
        __syncthreads();
    }
    out[t] = x;
}
