//--blockDim=32 --gridDim=1
// Row: the read and the write of one statement, in different lanes

// [warp-synchronous] Lane t reads s[t+1] while lane t+1 writes it; the warp barrier comes too late.
//~ race
__global__ void read_write_one_statement_bad(int *g)
{
    __shared__ int s[33];
    int t = threadIdx.x;
    s[t] = g[t];
    if (!t) s[32] = 0;
    __syncwarp();
    s[t] += s[t + 1]; //~ here
    __syncwarp();
    g[t] = s[t];
}

// The warp barrier stands between the read and the write.
//~ race-free
__global__ void read_write_one_statement_ok(int *g)
{
    __shared__ int s[33];
    int t = threadIdx.x;
    s[t] = g[t];
    if (!t) s[32] = 0;
    __syncwarp();
    int v = s[t + 1];
    __syncwarp();
    s[t] += v;
    __syncwarp();
    g[t] = s[t];
}
