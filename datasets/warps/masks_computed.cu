//--blockDim=64 --gridDim=1
// Warp barriers with masks that are computed.

// Groups of eight lanes, each with its own mask.
//~ race-free
__global__ void mask_shifted_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    unsigned mask = 0xffu << (lane & 24);
    s[t] = t;
    __syncwarp(mask);
    out[t] = s[t ^ 7];
}

// [mask] The neighbour beyond the group has a mask of its own.
//~ race
__global__ void mask_shifted_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    unsigned mask = 0xffu << (lane & 24);
    s[t] = t; //~ here
    __syncwarp(mask);
    out[t] = s[t ^ 8]; //~ here
}

// The mask is the vote on the condition of the branch.
//~ race-free
__global__ void mask_ballot_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    unsigned mask = __ballot_sync(0xffffffffu, lane < n);
    if (lane < n) {
        s[t] = t;
        __syncwarp(mask);
        out[t] = lane > 0 ? s[t - 1] : 0;
    }
}

// [mask] Lanes that did not vote for it write as well.
//~ race
__global__ void mask_ballot_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    unsigned mask = __ballot_sync(0xffffffffu, lane < n);
    s[t] = t; //~ here
    if (lane < n) {
        __syncwarp(mask);
        out[t] = s[t ^ 31]; //~ here
    }
}

// [mask] Voted in diverged code: which lanes took part nobody knows.
//~ race
__global__ void mask_ballot_divergent_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    s[t] = t; //~ here
    if (lane < n) {
        unsigned mask = __ballot_sync(__activemask(), lane < 8);
        __syncwarp(mask);
        out[t] = lane > 0 ? s[t - 1] : 0; //~ here
    }
}

// [mask] `__activemask()` names the lanes that happen to be there.
//~ race
__global__ void mask_active_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    __syncwarp(__activemask());
    out[t] = s[t ^ 1]; //~ here
}

// [mask] A mask from memory may name any lanes.
//~ race
__global__ void mask_loaded_bad(const unsigned *masks, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    __syncwarp(masks[0]);
    out[t] = s[t ^ 1]; //~ here
}

// [mask] The masks of the rounds differ: none orders all rounds.
//~ race
__global__ void mask_of_round_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    for (int i = 0; i < 4; i++) {
        if ((lane >> 3) == i) {
            s[t] = i; //~ here
            __syncwarp(0xffu << (8 * i));
            out[t] = s[t ^ 9]; //~ here
        }
    }
}
