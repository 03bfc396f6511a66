//--blockDim=64 --gridDim=1
// Extra: the outer back edge carries a race although the inner loop is full of barriers

// [carried] The read behind the inner loop meets the first store of the next outer iteration.
//~ race
__global__ void nested_back_edge_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 2; j++) {
            s[t] = i + j; //~ here
            __syncthreads();
            x += s[63 - t];
            __syncthreads();
        }
        x += s[(t + 1) & 63]; //~ here
    }
    out[t] = x;
}

// A barrier closes the outer iteration.
//~ race-free
__global__ void nested_back_edge_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 2; j++) {
            s[t] = i + j;
            __syncthreads();
            x += s[63 - t];
            __syncthreads();
        }
        x += s[(t + 1) & 63];
        __syncthreads();
    }
    out[t] = x;
}

// [carried] Inner iterations without a barrier: j = 1 of one thread meets j = 0 of another, for the same i.
//~ race
__global__ void nested_inner_open_bad(int n)
{
    __shared__ int s[66];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 2; j++) s[t + j] = t + i; //~ here
        __syncthreads();
    }
}
