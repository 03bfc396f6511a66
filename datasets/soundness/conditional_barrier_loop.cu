//--blockDim=64 --gridDim=1
// Row: a barrier that is not on every path round the loop

// [carried] Iterations 0 and 2 write s[t] and s[t+1] with no barrier between them.
// Without a barrier on every path, each thread has its own iteration.
//~ race
__global__ void conditional_barrier_loop_bad(int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[(i & 1) * 64 + (t + i / 2) % 64] = t; //~ here
        if ((i & 3) == 3) __syncthreads();
    }
}

// The barrier on every path keeps all threads in the same iteration.
//~ race-free
__global__ void conditional_barrier_loop_ok(int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[(i & 1) * 64 + (t + i / 2) % 64] = t;
        __syncthreads();
    }
}
