//--blockDim=64 --gridDim=1
// Extra: ranks in votes of a warp

// Each lane of the vote has a rank of its own.
//~ race-free
__global__ void rank_of_lane_ok(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    if (p) out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane;
}

// [vote] Two warps have the same ranks.
//~ race
__global__ void rank_two_warps_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    if (p)  out[__popc(v & ((1u << lane) - 1))] = threadIdx.x; //~ here
}

// [vote] Lanes that are not in the vote have the rank of another.
//~ race
__global__ void rank_of_others_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    if (!p)  out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; //~ here
}

// [vote] All write.
//~ race
__global__ void rank_of_all_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; //~ here
}

// [vote] More write than voted.
//~ race
__global__ void rank_other_guard_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = __ballot_sync(~0u, g[threadIdx.x] > 0);
    if (g[threadIdx.x] > -1)  out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; //~ here
}

// Fewer write than voted.
//~ race-free
__global__ void rank_fewer_ok(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = __ballot_sync(~0u, g[threadIdx.x] > 0);
    if (g[threadIdx.x] > 1) out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane;
}

// The own lane is counted with the others.
//~ race-free
__global__ void rank_inclusive_ok(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    if (p) out[warp * 32 + __popc(v & (0xffffffffu >> (31 - lane))) - 1] = lane;
}

// [vote] Some count themselves.
//~ race
__global__ void rank_inclusive_mixed_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    int below = __popc(v & ((1u << lane) - 1)), upto = __popc(v & ((2u << lane) - 1));
    if (p)  out[warp * 33 + (lane % 2 ? below : upto)] = lane; //~ here
}

// Both halves of a partition.
//~ race-free
__global__ void rank_above_ok(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    int r = __popc(v & ((1u << lane) - 1));
    int at = p ? r : 32 + lane - r;
    out[warp * 64 + at] = lane;
}

// [vote] Both halves begin at 0.
//~ race
__global__ void rank_partition_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    int r = __popc(v & ((1u << lane) - 1));
    int at = p ? r : lane - r;
    out[warp * 64 + at] = lane; //~ here
}

// [vote] Ranks of two votes.
//~ race
__global__ void rank_two_votes_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0, q = g[threadIdx.x + 64] > 0;
    unsigned v = __ballot_sync(~0u, p), w = __ballot_sync(~0u, q);
    if (p) out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; //~ here
    else if (q) out[warp * 32 + __popc(w & ((1u << lane) - 1))] = lane; //~ here
}

// [vote] The rank of another vote.
//~ race
__global__ void rank_wrong_vote_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0, q = g[threadIdx.x + 64] > 0;
    unsigned v = __ballot_sync(~0u, p);
    if (q)  out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; //~ here
}

// [vote] The mask is of half the lane.
//~ race
__global__ void rank_lanes_of_thread_bad(const int *g, int *out)
{
    int t = threadIdx.x, warp = t / 32;
    bool p = g[t] > 0;
    unsigned v = __ballot_sync(~0u, p);
    if (p)  out[warp * 32 + __popc(v & ((1u << t / 2) - 1))] = t; //~ here
}

// [vote] The mask leaves lane 0 out.
//~ race
__global__ void rank_gap_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    if (p)  out[warp * 32 + __popc(v & ((1u << lane) - 2))] = lane; //~ here
}

// Each round has its own part.
//~ race-free
__global__ void rank_rounds_ok(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = 0; i < 4; i++) { bool p = g[threadIdx.x + 64 * i] > 0; unsigned v = __ballot_sync(~0u, p); if (p) out[(warp * 4 + i) * 32 + __popc(v & ((1u << lane) - 1))] = lane; }
}

// [vote] Ranks of two rounds.
//~ race
__global__ void rank_rounds_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = 0; i < 4; i++) { bool p = g[threadIdx.x + 64 * i] > 0; unsigned v = __ballot_sync(~0u, p); if (p)  out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; } //~ here
}

// And counts beside it.
//~ race-free
__global__ void rank_base_ok(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int n = 0;
    for (int i = 0; i < 2; i++) { bool p = g[threadIdx.x + 64 * i] > 0; unsigned v = __ballot_sync(~0u, p); if (p) out[warp * 64 + i * 32 + __popc(v & ((1u << lane) - 1))] = lane; n += __popc(v); }
    out[128 + threadIdx.x] = n;
}

// [vote] The vote of the round before.
//~ race
__global__ void rank_old_vote_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = 0;
    for (int i = 0; i < 4; i++) { bool p = g[threadIdx.x + 64 * i] > 0; if (p)  out[(warp * 4 + i) * 32 + __popc(v & ((1u << lane) - 1))] = lane; v = __ballot_sync(~0u, p); } //~ here
}

// The own bit.
//~ race-free
__global__ void rank_bit_ok(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = __ballot_sync(~0u, g[threadIdx.x] > 0);
    if (v & (1u << lane)) out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane;
}

// [vote] The bit of the neighbour.
//~ race
__global__ void rank_bit_of_other_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = __ballot_sync(~0u, g[threadIdx.x] > 0);
    if (v & (1u << (lane ^ 1)))  out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; //~ here
}

// The own bit, of an int.
//~ race-free
__global__ void rank_bit_shifted_ok(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int v = __ballot_sync(~0u, g[threadIdx.x] > 0);
    if ((v >> lane) & 1) out[warp * 32 + __popc(v & ((1 << lane) - 1))] = lane;
}

// [vote] Two bits.
//~ race
__global__ void rank_bit_kept_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = __ballot_sync(~0u, g[threadIdx.x] > 0);
    if ((v >> lane) & 3)  out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; //~ here
}

// [vote] What was voted on is another value now.
//~ race
__global__ void rank_changed_bad(int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, t = threadIdx.x;
    unsigned v = __ballot_sync(~0u, g[t] > 0);
    g[t] = 1;
    if (g[t] > 0)  out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; //~ here
}

// The value of the vote is kept.
//~ race-free
__global__ void rank_stale_ok(int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, t = threadIdx.x;
    bool p = g[t] > 0;
    unsigned v = __ballot_sync(~0u, p);
    g[t] = 1;
    if (p) out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane;
}

// [vote] Ranks from 16 on come round.
//~ race
__global__ void rank_64_bad(const int *g, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    if (p)  out[warp * 32 + (__popc(v & ((1u << lane) - 1)) & 15)] = lane; //~ here
}

// A stable partition of the warp.
//~ race-free
__global__ void rank_shared_ok(const int *g, int *out)
{
    __shared__ int s[2][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool p = g[threadIdx.x] > 0;
    unsigned v = __ballot_sync(~0u, p);
    int n = __popc(v);
    if (p) s[warp][__popc(v & ((1u << lane) - 1))] = lane;
    else s[warp][n + __popc(~v & ((1u << lane) - 1))] = lane;
    __syncwarp();
    out[threadIdx.x] = s[warp][lane];
}

// [vote] The condition is an `int`: its lower half votes.
//~ race
__global__ void rank_wide_bad(const unsigned long long *f, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned long long b = f[threadIdx.x] & (1ull << 40);
    unsigned v = __ballot_sync(~0u, b);
    if (b) out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane; //~ here
}

// Compared before.
//~ race-free
__global__ void rank_wide_ok(const unsigned long long *f, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned long long b = f[threadIdx.x] & (1ull << 40);
    unsigned v = __ballot_sync(~0u, b != 0);
    if (b) out[warp * 32 + __popc(v & ((1u << lane) - 1))] = lane;
}
