//--blockDim=64 --gridDim=1
// Masks that do not fit the lanes that come to an operation.

// [mask] Lanes 16 to 31 come to a barrier that is not for them.
//~ divergence
__global__ void mask_left_out_bad(int *out)
{
    int t = threadIdx.x;
    __syncwarp(0x0000ffff); //~ here
    out[t] = t;
}

// All lanes come to a barrier for all.
//~ race-free
__global__ void mask_left_out_ok(int *out)
{
    int t = threadIdx.x;
    __syncwarp(0xffffffff);
    out[t] = t;
}

// [mask] The mask names all lanes, and the odd ones never come.
//~ divergence
__global__ void mask_absent_bad(int *out)
{
    int t = threadIdx.x;
    if (t % 2 == 0) {
        __syncwarp(); //~ here
        out[t] = t;
    }
}

// The odd lanes are not named.
//~ race-free
__global__ void mask_absent_ok(int *out)
{
    int t = threadIdx.x;
    if (t % 2 == 0) {
        __syncwarp(0x55555555);
        out[t] = t;
    }
}

// [mask] Lanes of one mask at two operations.
//~ divergence
__global__ void mask_two_calls_bad(int *out)
{
    int t = threadIdx.x;
    if (t % 32 < 16) {
        __syncwarp(); //~ here
    } else {
        __syncwarp(); //~ here
    }
    out[t] = t;
}

// One call for both arms.
//~ race-free
__global__ void mask_two_calls_ok(int *out)
{
    int t = threadIdx.x, x = 0;
    if (t % 32 < 16) x = 1;
    __syncwarp();
    out[t] = x;
}

// [mask] A shuffle of all lanes in a branch of some.
//~ divergence
__global__ void shuffle_in_branch_bad(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t < n) {
        int v = in[t];
        v += __shfl_down_sync(0xffffffffu, v, 1); //~ here
        out[t] = v;
    }
}

// All lanes shuffle; the result is stored by some.
//~ race-free
__global__ void shuffle_in_branch_ok(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    int v = t < n ? in[t] : 0;
    v += __shfl_down_sync(0xffffffffu, v, 1);
    if (t < n) out[t] = v;
}

// A whole warp may go another way.
//~ race-free
__global__ void shuffle_of_one_warp_ok(const int *in, int *out)
{
    int t = threadIdx.x;
    if (t < 32) {
        int v = in[t];
        for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffffu, v, k);
        if (t == 0) out[0] = v;
    }
}

// [mask] Half a warp shuffles with a mask for all.
//~ divergence
__global__ void shuffle_of_half_bad(const int *in, int *out)
{
    int t = threadIdx.x;
    if (t < 16) {
        int v = in[t];
        for (int k = 8; k > 0; k /= 2) v += __shfl_down_sync(0xffffffffu, v, k); //~ here
        if (t == 0) out[0] = v;
    }
}

// The mask names the half.
//~ race-free
__global__ void shuffle_of_half_ok(const int *in, int *out)
{
    int t = threadIdx.x;
    if (t < 16) {
        int v = in[t];
        for (int k = 8; k > 0; k /= 2) v += __shfl_down_sync(0x0000ffffu, v, k);
        if (t == 0) out[0] = v;
    }
}

// [mask] A vote in a loop that lanes leave at different times.
//~ divergence
__global__ void vote_in_loop_bad(int *out)
{
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < t % 4; i++) x += __any_sync(0xffffffffu, i & 1); //~ here
    out[t] = x;
}

// All lanes go round equally often.
//~ race-free
__global__ void vote_in_loop_ok(int *out, int n)
{
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) x += __any_sync(0xffffffffu, i & t);
    out[t] = x;
}

// [mask] A mask without the voter's own lane.
//~ divergence
__global__ void vote_left_out_bad(int *out)
{
    int t = threadIdx.x;
    if (t % 32 < 8) out[t] = __ballot_sync(0x0000000fu, t & 1); //~ here
}

// Exactly the lanes that come.
//~ race-free
__global__ void vote_left_out_ok(int *out)
{
    int t = threadIdx.x;
    if (t % 32 < 4) out[t] = __ballot_sync(0x0000000fu, t & 1);
}

// The condition holds of all threads of this block, though it speaks of the thread.
//~ race-free
__global__ void vote_always_ok(int *out)
{
    int t = threadIdx.x;
    if (t < 64) out[t] = __all_sync(0xffffffffu, t >= 0);
}
