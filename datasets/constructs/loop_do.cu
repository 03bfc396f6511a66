//--blockDim=64 --gridDim=1
// Construct: do loops

// The body runs at least once, so the barrier in it always separates.
//~ race-free
__global__ void loop_do_barrier_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = 0;
    s[t] = t;
    do {
        __syncthreads();
    } while (++i < n);
    out[t] = s[63 - t];
}

// [zero-trips] A while loop may run zero times, and then no barrier separates.
//~ race
__global__ void loop_do_barrier_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = 0;
    s[t] = t; //~ here
    while (i++ < n) {
        __syncthreads();
    }
    out[t] = s[63 - t]; //~ here
}

// [carried] The store stands before the first test: it runs although n may be 0.
//~ race
__global__ void loop_do_first_bad(int n)
{
    __shared__ int s[64];
    int i = 0;
    do {
        s[i & 63] = threadIdx.x; //~ here
        i++;
    } while (i < n);
}
