//--blockDim=64 --gridDim=1
// Construct: continue

// A uniform continue skips the whole iteration.
//~ race-free
__global__ void continue_statement_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        if (i & 1) continue;
        s[t] = i;
        __syncthreads();
        x = s[63 - t];
        __syncthreads();
    }
    out[t] = x;
}

// [carried] The continue skips the closing barrier: the read of iteration 1 meets the write of iteration 2.
//~ race
__global__ void continue_statement_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[t] = i; //~ here
        __syncthreads();
        x = s[63 - t]; //~ here
        if (i & 1) continue;
        __syncthreads();
    }
    out[t] = x;
}

// In a while loop the continue must not skip the step: every element has one writer.
//~ race-free
__global__ void continue_while_ok(int *g, int n)
{
    int i = threadIdx.x - 64;
    while (i + 64 < n) {
        i += 64;
        if (i & 1) continue;
        g[i] = i;
    }
}
