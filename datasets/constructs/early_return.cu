//--blockDim=64 --gridDim=1
// Construct: early return

// Only thread 0 goes on.
//~ race-free
__global__ void early_return_ok(int *g)
{
    int t = threadIdx.x;
    if (t != 0) return;
    g[0] = t;
}

// [early-exit] Threads 0 to 31 leave, 32 writers remain.
//~ race
__global__ void early_return_bad(int *g)
{
    int t = threadIdx.x;
    if (t < 32) return;
    g[0] = t; //~ here
}

// A return inside a loop under a uniform condition.
//~ race-free
__global__ void early_return_loop_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        if (i == n) return;
        s[t] = i;
        __syncthreads();
        out[t] = s[63 - t];
        __syncthreads();
    }
}

// [early-exit] Each thread returns in its own iteration.
//~ divergence
__global__ void early_return_loop_bad()
{
    int t = threadIdx.x;
    for (int i = 0; i < 64; i++) {
        if (i == t) return;
        __syncthreads(); //~ here
    }
}
