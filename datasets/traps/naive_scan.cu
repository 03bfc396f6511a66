//--blockDim=64 --gridDim=1
// Trap: false alarm on the naive scan

// pout and pin are 0 and 1 in turn, always different, and the same for all threads.
//~ race-free
__global__ void naive_scan_trap_ok(int *g)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int pout = 0, pin = 1;
    s[t] = t > 0 ? g[t - 1] : 0;
    __syncthreads();
    int x = 0;
    for (int d = 1; d < 64; d *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        x = s[pin * 64 + t];
        if (t >= d) x += s[pin * 64 + t - d];
        s[pout * 64 + t] = x;
        __syncthreads();
    }
    g[t] = s[pout * 64 + t];
}

// [double-buffer] pin is computed once, before the loop: every other iteration reads the half it writes.
//~ race
__global__ void naive_scan_trap_bad(int *out, const int *g)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int pout = 0, pin = 1;
    s[t] = t > 0 ? g[t - 1] : 0;
    s[64 + t] = 0;
    __syncthreads();
    int x = 0;
    for (int d = 1; d < 64; d *= 2) {
        pout = 1 - pout;
        x = s[pin * 64 + t];
        if (t >= d) x += s[pin * 64 + t - d]; //~ here
        s[pout * 64 + t] = x; //~ here
        __syncthreads();
    }
    out[t] = s[pout * 64 + t];
}
