//--blockDim=64 --gridDim=2
// Pairs before and after a fix: code that relies on the lanes of a warp being in step

// [warp-synchronous] The last steps of a reduction without any barrier.
//~ race
__global__ void pair_tail_bad(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32]; //~ here
        if (t < 16) s[t] += s[t + 16]; //~ here
        if (t < 8) s[t] += s[t + 8]; //~ here
        if (t < 4) s[t] += s[t + 4]; //~ here
        if (t < 2) s[t] += s[t + 2]; //~ here
        if (t < 1) s[t] += s[t + 1]; //~ here
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// After: a barrier of the warp behind each step.
//~ race-free
__global__ void pair_tail_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        __syncwarp();
        if (t < 16) s[t] += s[t + 16];
        __syncwarp();
        if (t < 8) s[t] += s[t + 8];
        __syncwarp();
        if (t < 4) s[t] += s[t + 4];
        __syncwarp();
        if (t < 2) s[t] += s[t + 2];
        __syncwarp();
        if (t < 1) s[t] += s[t + 1];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// [warp-synchronous] volatile keeps the values out of registers and orders nothing.
//~ race
__global__ void pair_volatile_sum_bad(const int *g, int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x, lane = t % 32;
    s[t] = g[blockIdx.x * 64 + t]; //~ here
    if (lane < 16) s[t] = s[t] + s[t + 16]; //~ here
    if (lane < 8) s[t] = s[t] + s[t + 8]; //~ here
    if (lane == 0) out[blockIdx.x * 2 + t / 32] = s[t];
}

// After: barriers of the warp, and the sum in a register.
//~ race-free
__global__ void pair_volatile_sum_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t % 32;
    s[t] = g[blockIdx.x * 64 + t];
    __syncwarp();
    if (lane < 16) s[t] = s[t] + s[t + 16];
    __syncwarp();
    if (lane < 8) s[t] = s[t] + s[t + 8];
    __syncwarp();
    if (lane == 0) out[blockIdx.x * 2 + t / 32] = s[t];
}

// [warp-synchronous] Sum and store of one statement: a lane overwrites what its neighbour reads.
//~ race
__global__ void pair_one_statement_bad(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t % 32;
    s[t] = g[blockIdx.x * 64 + t];
    __syncwarp();
    for (int d = 1; d < 32; d *= 2) {
        if (lane >= d) s[t] += s[t - d]; //~ here
        __syncwarp();
    }
    out[blockIdx.x * 64 + t] = s[t];
}

// After: read, barrier, store.
//~ race-free
__global__ void pair_one_statement_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t % 32;
    s[t] = g[blockIdx.x * 64 + t];
    __syncwarp();
    for (int d = 1; d < 32; d *= 2) {
        int more = lane >= d ? s[t - d] : 0;
        __syncwarp();
        s[t] += more;
        __syncwarp();
    }
    out[blockIdx.x * 64 + t] = s[t];
}

// [warp-synchronous] The first lane stores a count that all lanes of its warp read at once.
//~ race
__global__ void pair_leader_count_bad(const int *g, int *out)
{
    __shared__ int count[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned votes = __ballot_sync(0xffffffffu, g[blockIdx.x * 64 + t] > 0);
    if (lane == 0) count[warp] = __popc(votes); //~ here
    out[blockIdx.x * 64 + t] = count[warp]; //~ here
}

// After: the lanes wait for the first.
//~ race-free
__global__ void pair_leader_count_ok(const int *g, int *out)
{
    __shared__ int count[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned votes = __ballot_sync(0xffffffffu, g[blockIdx.x * 64 + t] > 0);
    if (lane == 0) count[warp] = __popc(votes);
    __syncwarp();
    out[blockIdx.x * 64 + t] = count[warp];
}

// [warp-synchronous] Each warp turns its own 4 by 8 piece, without waiting.
//~ race
__global__ void pair_warp_transpose_bad(const int *g, int *out)
{
    __shared__ int piece[2][32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    piece[warp][lane] = g[blockIdx.x * 64 + t]; //~ here
    out[blockIdx.x * 64 + t] = piece[warp][lane % 4 * 8 + lane / 4]; //~ here
}

// After: a barrier of the warp.
//~ race-free
__global__ void pair_warp_transpose_ok(const int *g, int *out)
{
    __shared__ int piece[2][32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    piece[warp][lane] = g[blockIdx.x * 64 + t];
    __syncwarp();
    out[blockIdx.x * 64 + t] = piece[warp][lane % 4 * 8 + lane / 4];
}

// [warp-synchronous] Butterfly exchange: partners read while the other stores.
//~ race
__global__ void pair_butterfly_bad(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int x = g[blockIdx.x * 64 + t];
    for (int d = 1; d < 32; d *= 2) {
        s[t] = x; //~ here
        x += s[t ^ d]; //~ here
    }
    out[blockIdx.x * 64 + t] = x;
}

// After: a barrier of the warp between store and read, and between read and the next store.
//~ race-free
__global__ void pair_butterfly_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int x = g[blockIdx.x * 64 + t];
    for (int d = 1; d < 32; d *= 2) {
        s[t] = x;
        __syncwarp();
        x += s[t ^ d];
        __syncwarp();
    }
    out[blockIdx.x * 64 + t] = x;
}

// [warp-synchronous] The exchange crosses warps, and the barrier is only the warp's.
//~ race
__global__ void pair_wrong_width_bad(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[blockIdx.x * 64 + t]; //~ here
    __syncwarp();
    out[blockIdx.x * 64 + t] = s[(t + 1) % 64]; //~ here
}

// After: the barrier of the block.
//~ race-free
__global__ void pair_wrong_width_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[blockIdx.x * 64 + t];
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[(t + 1) % 64];
}

// [warp-synchronous] Ids of lanes that have work, packed by a vote, are read by the lanes of the same warp.
//~ race
__global__ void pair_packed_ids_bad(const int *g, int *out)
{
    __shared__ int ids[2][32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned votes = __ballot_sync(0xffffffffu, g[blockIdx.x * 64 + t] > 0);
    int rank = __popc(votes & ((1u << lane) - 1));
    if (votes >> lane & 1) ids[warp][rank] = lane; //~ here
    if (lane < __popc(votes)) out[blockIdx.x * 64 + t] = ids[warp][lane]; //~ here
}

// After: a barrier of the warp between the two.
//~ race-free
__global__ void pair_packed_ids_ok(const int *g, int *out)
{
    __shared__ int ids[2][32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned votes = __ballot_sync(0xffffffffu, g[blockIdx.x * 64 + t] > 0);
    int rank = __popc(votes & ((1u << lane) - 1));
    if (votes >> lane & 1) ids[warp][rank] = lane;
    __syncwarp();
    if (lane < __popc(votes)) out[blockIdx.x * 64 + t] = ids[warp][lane];
}

// [warp-synchronous] Shuffles bring the lanes together, but order no memory.
//~ race
__global__ void pair_shuffle_orders_nothing_bad(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = g[i]; //~ here
    int x = __shfl_xor_sync(0xffffffffu, g[i], 1);
    out[i] = x + s[t ^ 2]; //~ here
}

// After: a barrier of the warp.
//~ race-free
__global__ void pair_shuffle_orders_nothing_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = g[i];
    int x = __shfl_xor_sync(0xffffffffu, g[i], 1);
    __syncwarp();
    out[i] = x + s[t ^ 2];
}
