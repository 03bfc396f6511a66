//--blockDim=64 --gridDim=1
// Extra: a uniform continue before the barrier merges iterations

// [carried] In odd iterations all threads skip the barriers: their store meets the next one's, in the same interval.
//~ race
__global__ void uniform_continue_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[(t + i) & 63] = i; //~ here
        if (i & 1) continue;
        __syncthreads();
        x = s[63 - t];
        __syncthreads();
    }
    out[t] = x;
}

// The continue stands before the store.
//~ race-free
__global__ void uniform_continue_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        if (i & 1) continue;
        s[(t + i) & 63] = i;
        __syncthreads();
        x = s[63 - t];
        __syncthreads();
    }
    out[t] = x;
}
