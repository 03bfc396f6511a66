//--blockDim=32 --gridDim=1
// Construct: warp shuffles and votes

// Registers travel by shuffle; no memory is shared.
//~ race-free
__global__ void shuffle_and_vote_ok(const int *g, int *out)
{
    int t = threadIdx.x, v = g[t];
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffffu, v, k);
    if (t == 0) out[0] = v;
}

// [shuffle] A shuffle orders no memory.
//~ race
__global__ void shuffle_and_vote_bad(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t; //~ here
    int v = __shfl_xor_sync(0xffffffffu, t, 1);
    out[t] = s[t ^ 1] + v; //~ here
}

// [shuffle] Lane 0's value reaches all lanes: one index for all.
//~ race
__global__ void shuffle_broadcast_bad(int *out)
{
    int t = threadIdx.x;
    int i = __shfl_sync(0xffffffffu, t, 0);
    out[i] = t; //~ here
}

// The broadcast value is a base, the lane the offset.
//~ race-free
__global__ void shuffle_broadcast_ok(const int *g, int *out)
{
    int t = threadIdx.x;
    int i = __shfl_sync(0xffffffffu, g[t], 0);
    out[i + t] = t;
}
