//--blockDim=128 --gridDim=4
// Contents: values that lanes hand to each other

// A prefix sum of a warp made of shuffles gives each flagged lane a place of its own in the part of its warp.
//~ race-free
__global__ void warp_scan_places_ok(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int sum = keep;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (keep) out[base + t - lane + sum - 1] = t;
}

// [scan] All lanes write: those without a flag go where the one below them went.
//~ race
__global__ void warp_scan_all_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int sum = keep;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    out[base + t - lane + sum] = t; //~ here
}

// [scan] The last step is left out: lanes 16 to 31 do not know of the first.
//~ race
__global__ void warp_scan_short_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int sum = keep;
    for (int d = 1; d < 16; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (keep) out[base + t - lane + sum - 1] = t; //~ here
}

// [scan] What a shuffle from below the first lane gives is added, too.
//~ race
__global__ void warp_scan_no_guard_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int sum = keep;
    for (int d = 1; d < 32; d *= 2) sum += __shfl_up_sync(0xffffffff, sum, d);
    if (keep) out[(base + t - lane) * 32 + (sum & 15)] = t; //~ here
}

// [scan] The places of one warp are those of another.
//~ race
__global__ void warp_scan_same_part_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int sum = keep;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (keep) out[base + sum - 1] = t; //~ here
}

// The steps one by one, without a loop.
//~ race-free
__global__ void warp_scan_unrolled_ok(const int *in, int *out)
{
    int t = threadIdx.x, lane = t & 31, base = blockIdx.x * 128;
    int keep = in[base + t] & 1;
    int sum = keep, y;
    y = __shfl_up_sync(~0u, sum, 1);  if (lane >= 1) sum += y;
    y = __shfl_up_sync(~0u, sum, 2);  if (lane >= 2) sum += y;
    y = __shfl_up_sync(~0u, sum, 4);  if (lane >= 4) sum += y;
    y = __shfl_up_sync(~0u, sum, 8);  if (lane >= 8) sum += y;
    y = __shfl_up_sync(~0u, sum, 16); if (lane >= 16) sum += y;
    int place = sum - keep;
    if (keep) out[base + (t & ~31) + place] = t;
}

// [scan] A step asks the wrong distance.
//~ race
__global__ void warp_scan_wrong_step_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t & 31, base = blockIdx.x * 128;
    int keep = in[base + t] & 1;
    int sum = keep, y;
    y = __shfl_up_sync(~0u, sum, 1);  if (lane >= 1) sum += y;
    y = __shfl_up_sync(~0u, sum, 2);  if (lane >= 2) sum += y;
    y = __shfl_up_sync(~0u, sum, 3);  if (lane >= 3) sum += y;
    y = __shfl_up_sync(~0u, sum, 8);  if (lane >= 8) sum += y;
    y = __shfl_up_sync(~0u, sum, 16); if (lane >= 16) sum += y;
    if (keep) out[base + (t & ~31) + sum - 1] = t; //~ here
}

// Segments of eight lanes, each with a part of its own.
//~ race-free
__global__ void segment_scan_ok(const int *in, int *out)
{
    int t = threadIdx.x, at = t % 8, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int sum = keep;
    for (int d = 1; d < 8; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d, 8);
        if (at >= d) sum += below;
    }
    if (keep) out[base + t - at + sum - 1] = t;
}

// [scan] Segments of eight, whose places are those of a warp.
//~ race
__global__ void segment_scan_bad(const int *in, int *out)
{
    int t = threadIdx.x, at = t % 8, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int sum = keep;
    for (int d = 1; d < 8; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d, 8);
        if (at >= d) sum += below;
    }
    if (keep) out[base + t / 32 * 32 + sum - 1] = t; //~ here
}

// Sums of warps through shared memory: each flagged thread of the block has a place of its own.
//~ race-free
__global__ void block_scan_of_warps_ok(const int *in, int *out)
{
    __shared__ int total[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int sum = keep;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (lane == 31) total[warp] = sum;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; w++) before += total[w];
    if (keep) out[base + before + sum - 1] = t;
}

// [scan] The first lane stores the sum of its warp, which only the last lane knows.
//~ race
__global__ void block_scan_first_lane_bad(const int *in, int *out)
{
    __shared__ int total[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    int sum = keep;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (lane == 0) total[warp] = sum;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; w++) before += total[w];
    if (keep) out[base + before + sum - 1] = t; //~ here
}

// Ranks in a vote, and the sums of warps scanned by the first of them.
//~ race-free
__global__ void block_ranks_ok(const int *in, int *out)
{
    __shared__ int total[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 128;
    bool keep = in[base + t] > 0;
    unsigned votes = __ballot_sync(0xffffffff, keep);
    int rank = __popc(votes & ((1u << lane) - 1));
    if (lane == 0) total[warp] = __popc(votes);
    __syncthreads();
    if (warp == 0) {
        int v = lane < 4 ? total[lane] : 0;
        for (int d = 1; d < 4; d *= 2) {
            int below = __shfl_up_sync(0xffffffff, v, d);
            if (lane >= d) v += below;
        }
        if (lane < 4) total[lane] = v;
    }
    __syncthreads();
    int before = warp > 0 ? total[warp - 1] : 0;
    if (keep) out[base + before + rank] = t;
}

// [scan] The sum of the own warp is added instead of those before it.
//~ race
__global__ void block_ranks_own_bad(const int *in, int *out)
{
    __shared__ int total[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 128;
    bool keep = in[base + t] > 0;
    unsigned votes = __ballot_sync(0xffffffff, keep);
    int rank = __popc(votes & ((1u << lane) - 1));
    if (lane == 0) total[warp] = __popc(votes);
    __syncthreads();
    int before = total[warp];
    if (keep) out[base + before + rank] = t; //~ here
}

// A butterfly leaves the largest number in all lanes: all come to the barrier, or none.
//~ race-free
__global__ void butterfly_largest_ok(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    if (v > 5) {
        __syncwarp();
        out[blockIdx.x * 128 + threadIdx.x] = v;
    }
}

// [butterfly] Four exchanges: the halves of a warp hold numbers of their own.
//~ divergence
__global__ void butterfly_short_bad(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 8; d > 0; d >>= 1) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    if (v > 5) {
        __syncwarp(); //~ here
        out[blockIdx.x * 128 + threadIdx.x] = v;
    }
}

// The same of sums of floating point: each exchange adds the same two numbers in both lanes.
//~ race-free
__global__ void butterfly_float_ok(const float *in, int *out)
{
    float v = in[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
    if (v > 5.0f) {
        __syncwarp();
        out[blockIdx.x * 128 + threadIdx.x] = 1;
    }
}

// [butterfly] A difference is not the same in both lanes.
//~ divergence
__global__ void butterfly_difference_bad(const float *in, int *out)
{
    float v = in[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v -= __shfl_xor_sync(0xffffffff, v, d);
    if (v > 5.0f) {
        __syncwarp(); //~ here
        out[blockIdx.x * 128 + threadIdx.x] = 1;
    }
}

// Steps downwards leave the sum in lane 0, which hands it to all.
//~ race-free
__global__ void down_and_broadcast_ok(const int *in, int *out)
{
    int v = in[threadIdx.x] & 255;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    v = __shfl_sync(0xffffffff, v, 0);
    if (v > 5) {
        __syncwarp();
        out[blockIdx.x * 128 + threadIdx.x] = v;
    }
}

// [butterfly] Steps downwards leave the sum in lane 0 only.
//~ divergence
__global__ void down_alone_bad(const int *in, int *out)
{
    int v = in[threadIdx.x] & 255;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (v > 5) {
        __syncwarp(); //~ here
        out[blockIdx.x * 128 + threadIdx.x] = v;
    }
}

// The branch is one for the block: every warp's number comes from shared memory, and all take the largest.
//~ race-free
__global__ void block_largest_ok(const int *in, int *out)
{
    __shared__ int most[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = in[t];
    for (int d = 16; d > 0; d >>= 1) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    if (lane == 0) most[warp] = v;
    __syncthreads();
    v = max(max(most[0], most[1]), max(most[2], most[3]));
    if (v > 5) {
        __syncthreads();
        out[blockIdx.x * 128 + t] = v;
    }
}

// [butterfly] The number of a warp decides about a barrier of the block.
//~ divergence
__global__ void block_barrier_by_warp_bad(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    if (v > 5) {
        __syncthreads(); //~ here
        out[blockIdx.x * 128 + threadIdx.x] = v;
    }
}

// [butterfly] A product may be rounded before it is added, or not: a lane that adds its own to that of another may differ from it in the last bit.
//~ divergence
__global__ void butterfly_product_bad(const float *in, const float *by, int *out)
{
    float v = in[threadIdx.x] * by[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
    if (v > 5.0f) {
        __syncwarp(); //~ here
        out[blockIdx.x * 128 + threadIdx.x] = 1;
    }
}

// Of products, the largest is one value.
//~ race-free
__global__ void butterfly_largest_float_ok(const float *in, int *out)
{
    float v = in[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, d));
    if (v > 5.0f) {
        __syncwarp();
        out[blockIdx.x * 128 + threadIdx.x] = 1;
    }
}

// Two halves of a warp under masks of their own, each with a butterfly: one value in each half, and a barrier of the half.
//~ race-free
__global__ void butterfly_halves_ok(const int *in, int *out)
{
    int t = threadIdx.x;
    unsigned half = t % 32 < 16 ? 0xffff : 0xffff0000;
    int v = in[t];
    for (int d = 8; d > 0; d >>= 1) v = max(v, __shfl_xor_sync(half, v, d));
    if (v > 5) {
        __syncwarp(half);
        out[blockIdx.x * 128 + t] = v;
    }
}

// [butterfly] One value in each half, and a barrier of the warp.
//~ divergence
__global__ void butterfly_halves_whole_bad(const int *in, int *out)
{
    int t = threadIdx.x;
    unsigned half = t % 32 < 16 ? 0xffff : 0xffff0000;
    int v = in[t];
    for (int d = 8; d > 0; d >>= 1) v = max(v, __shfl_xor_sync(half, v, d));
    if (v > 5) {
        __syncwarp(); //~ here
        out[blockIdx.x * 128 + t] = v;
    }
}

// The scan stands in a loop over tiles, each of which the block writes to a part of its own.
//~ race-free
__global__ void tiles_of_warps_ok(const int *in, int *out, int tiles)
{
    int t = threadIdx.x, lane = t % 32;
    for (int tile = 0; tile < tiles; tile++) {
        long long at = ((long long)tile * gridDim.x + blockIdx.x) * 128;
        int keep = in[at + t] > 0, sum = keep;
        for (int d = 1; d < 32; d *= 2) {
            int below = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d) sum += below;
        }
        if (keep) out[at + t - lane + sum - 1] = t;
    }
}

// [scan] The sum of the tile before is not taken away: lanes of one tile write where those of the next do.
//~ race
__global__ void tiles_carry_bad(const int *in, int *out, int tiles)
{
    int t = threadIdx.x, lane = t % 32, at = blockIdx.x * 4096;
    for (int tile = 0; tile < tiles; tile++) {
        int keep = in[(tile * gridDim.x + blockIdx.x) * 128 + t] > 0, sum = keep;
        for (int d = 1; d < 32; d *= 2) {
            int below = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d) sum += below;
        }
        if (keep) out[at + t - lane + sum - 1] = t; //~ here
    }
}

// [scan] A flag that was changed between the scan and the write.
//~ race
__global__ void flag_changed_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 128;
    int keep = in[base + t] > 0, sum = keep;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (in[base + t] > -5) out[base + t - lane + sum] = t; //~ here
}

// Numbers other than flags: each thread writes as many elements as it has, from its place on.
//~ race-free
__global__ void runs_of_lanes_ok(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 128;
    int count = in[base + t] & 7, sum = count;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    int first = (base + t - lane) * 7 + sum - count;
    for (int i = 0; i < count; i++) out[first + i] = t;
}

// [scan] One element more than was counted.
//~ race
__global__ void runs_too_long_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 128;
    int count = in[base + t] & 7, sum = count;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    int first = (base + t - lane) * 8 + sum - count;
    for (int i = 0; i <= count; i++) out[first + i] = t; //~ here
}

// [vote] How many lanes vote is what is counted, in a warp whose every lane may: then all first lanes write to one place.
//~ race
__global__ void totals_taken_away_bad(const int *in, int *out)
{
    __shared__ int total[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 128;
    unsigned votes = __ballot_sync(0xffffffff, in[base + t] > 0);
    if (lane == 0) total[warp] = __popc(votes);
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; w++) before += total[w];
    if (lane == 0) out[base + warp * 32 - before] = warp; //~ here
}
