//--blockDim=64 --gridDim=1
// Extra: an inner barrier loop that may run zero times is no barrier on every path

// [zero-trips] For m == 0 no barrier is left in the outer loop.
//~ race
__global__ void zero_trip_barrier_bad(int *out, int n, int m)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[t] = i; //~ here
        for (int j = 0; j < m; j++) __syncthreads();
        x += s[63 - t]; //~ here
        for (int j = 0; j < m; j++) __syncthreads();
    }
    out[t] = x;
}

// A do loop runs at least once.
//~ race-free
__global__ void zero_trip_barrier_ok(int *out, int n, int m)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[t] = i;
        int j = 0;
        do { __syncthreads(); } while (++j < m);
        x += s[63 - t];
        j = 0;
        do { __syncthreads(); } while (++j < m);
    }
    out[t] = x;
}

// [zero-trips] The read after a loop whose barrier stands at the head of the body: the last iteration's store is open.
//~ race
__global__ void barrier_at_loop_head_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        __syncthreads();
        s[t] = i; //~ here
    }
    out[t] = s[63 - t]; //~ here
}

// [zero-trips] The read before a loop whose barrier stands at the end of the body.
//~ race
__global__ void barrier_at_loop_end_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    out[t] = s[63 - t]; //~ here
    for (int i = 1; i < 4; i++) {
        s[t] = i; //~ here
        __syncthreads();
    }
}

// One barrier more on that side.
//~ race-free
__global__ void barrier_at_loop_end_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    out[t] = s[63 - t];
    __syncthreads();
    for (int i = 1; i < 4; i++) {
        s[t] = i;
        __syncthreads();
    }
}
