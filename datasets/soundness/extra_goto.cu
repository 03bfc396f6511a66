//--blockDim=64 --gridDim=1
// Extra: goto

// [goto] The jump goes past the barrier for all threads when n is positive.
//~ race
__global__ void goto_past_barrier_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (n > 0) goto read;
    __syncthreads();
read:
    out[t] = s[63 - t]; //~ here
}

// The jump goes past a store to the thread's own element.
//~ race-free
__global__ void goto_past_store_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (n > 0) goto wait;
    s[t] = n;
wait:
    __syncthreads();
    out[t] = s[63 - t];
}

// [goto] A loop made of a jump: the iterations have no barrier between them.
//~ fn_race
__global__ void goto_loop_bad(int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, i = 0;
again:
    s[t + i] = t; //~ here
    i++;
    if (i < n && i < 64) goto again;
}
