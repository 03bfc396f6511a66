//--blockDim=64 --gridDim=1
// Construct: break out of for, while and switch

// The break leaves the inner loop only.
//~ race-free
__global__ void break_statement_ok(const int *q)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 8; j++) {
            if (q[t] == j) break;
            s[i * 64 + t] = j;
        }
    }
}

// [carried] The break does not make the iterations disjoint.
//~ race
__global__ void break_statement_bad(const int *q)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        if (q[t] == i) break;
        s[t + i] = i; //~ here
    }
}

// [divergence] Threads that break do not reach the barrier of later iterations.
//~ divergence
__global__ void break_barrier_bad(const int *q)
{
    for (int i = 0; i < 4; i++) {
        if (q[threadIdx.x] == i) break;
        __syncthreads(); //~ here
    }
}

// All threads break together.
//~ race-free
__global__ void break_barrier_ok(const int *q, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < 4; i++) {
        if (q[0] == i) break;
        s[t] = i;
        __syncthreads();
        x = s[63 - t];
        __syncthreads();
    }
    out[t] = x;
}
