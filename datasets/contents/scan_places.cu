//--blockDim=64 --gridDim=4
// Contents: places from scans of flags in shared memory, in blocks of known size

// Kogge-Stone, inclusive: kept elements have sums of their own, one more than those before them.
//~ race-free
__global__ void place_inclusive_ok(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (keep) out[base + sum[t] - 1] = t;
}

// [guard] The elements that are not kept are stored, too.
//~ race
__global__ void place_inclusive_all_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    out[base + sum[t]] = t; //~ here
}

// [wrong flag] Kept is what the neighbour counted.
//~ race
__global__ void place_of_neighbour_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    sum[t] = in[base + t] != 0;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (in[base + (t ^ 1)] != 0) out[base + sum[t]] = t; //~ here
}

// Exclusive: the sum of the element before, 0 for the first.
//~ race-free
__global__ void place_of_before_ok(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    int place = t > 0 ? sum[t - 1] : 0;
    if (keep) out[base + place] = t;
}

// [one element off] The sum of two before: the neighbour's flag is missing in it.
//~ race
__global__ void place_two_before_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    int place = t > 1 ? sum[t - 2] : 0;
    if (keep) out[base + place] = t; //~ here
}

// The own flag is taken away again.
//~ race-free
__global__ void place_less_own_ok(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] > 3;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (keep) out[base + sum[t] - keep] = t;
}

// [last step] The scan stops a step too early: the upper half does not know of the lower one.
//~ race
__global__ void place_half_scan_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (keep) out[base + sum[t] - 1] = t; //~ here
}

// [guard of data] What is below is added only where the own flag is set: sums of some, not of all.
//~ race
__global__ void place_data_guard_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        if (in[t] > d) sum[t] += below;
        __syncthreads();
    }
    if (keep) out[base + sum[t] - 1] = t; //~ here
}

// [missing barrier] The sum is read while others add to it.
//~ race
__global__ void place_no_barrier_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0; //~ here
        sum[t] += below; //~ here
        __syncthreads();
    }
    if (keep) out[base + sum[t] - 1] = t;
}

// [values of any sign] Summands below 0 bring sums back.
//~ race
__global__ void place_signed_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int step = in[base + t] > 0 ? 1 : -1;
    sum[t] = step;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (step > 0) out[base * 2 + sum[t] + 64] = t; //~ here
}

// Summands of at least 1: every thread has a place of its own, all write.
//~ race-free
__global__ void place_at_least_one_ok(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    sum[t] = 1 + (in[base + t] & 3);
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    out[base * 4 + sum[t] - 1] = t;
}

// [room] Sums of up to 4 an element need four times the room: blocks run into each other.
//~ race
__global__ void place_no_room_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    sum[t] = 1 + (in[base + t] & 3);
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    out[base * 3 + sum[t] - 1] = t; //~ here
}

// Each thread has as many places as it counted, from the sum before it on.
//~ race-free
__global__ void place_ranges_ok(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int count = in[base + t] & 3;
    sum[t] = count;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    for (int j = 0; j < count; j++) out[base * 3 + sum[t] - count + j] = t;
}

// [range] One place more than it counted.
//~ race
__global__ void place_ranges_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int count = in[base + t] & 3;
    sum[t] = count;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    for (int j = 0; j <= count; j++) out[base * 3 + sum[t] - count + j] = t; //~ here
}

// [bytes] Sums of 64 flags of up to 7 do not fit into a byte.
//~ race
__global__ void place_narrow_bad(const int *in, int *out)
{
    __shared__ unsigned char sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int count = in[base + t] & 7;
    sum[t] = count;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (count) out[base * 8 + sum[t]] = t; //~ here
}

// Flags fit: 64 at most.
//~ race-free
__global__ void place_narrow_ok(const int *in, int *out)
{
    __shared__ unsigned char sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int count = in[base + t] & 1;
    sum[t] = count;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (count) out[base + sum[t] - 1] = t;
}

// [another operator] Largest flags so far are equal for many.
//~ race
__global__ void place_largest_bad(const int *in, int *out)
{
    __shared__ int most[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] & 63;
    most[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? most[t - d] : 0;
        __syncthreads();
        most[t] = max(most[t], below);
        __syncthreads();
    }
    if (keep) out[base + most[t]] = t; //~ here
}

// [differences] An operator that is not associative.
//~ race
__global__ void place_differences_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] = below - sum[t];
        __syncthreads();
    }
    if (keep) out[base + sum[t] + 64] = t; //~ here
}

// The total is the same for all: what it is added to tells threads apart.
//~ race-free
__global__ void place_behind_total_ok(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    int total = sum[63];
    // Kept ones first, the others behind them.
    int place = keep ? sum[t] - 1 : total + t - sum[t];
    out[base + place] = t;
}

// [split] The others begin where the kept ones end, less one.
//~ race
__global__ void place_split_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    int total = sum[62];
    int place = keep ? sum[t] - 1 : total + t - sum[t];
    out[base + place] = t; //~ here
}

// The sums go to a second array and back between barriers.
//~ race-free
__global__ void place_two_arrays_ok(const int *in, int *out)
{
    __shared__ int one[64], two[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    one[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 4) {
        two[t] = one[t] + (t >= d ? one[t - d] : 0);
        __syncthreads();
        one[t] = two[t] + (t >= 2 * d ? two[t - 2 * d] : 0);
        __syncthreads();
    }
    if (keep) out[base + one[t] - 1] = t;
}

// [overwritten] Someone sets an element back before places are read.
//~ race
__global__ void place_set_back_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (t == 7) sum[in[0] & 63] = 1;
    __syncthreads();
    if (keep) out[base + sum[t] - 1] = t; //~ here
}

// [another view] A short of the sums is overwritten.
//~ race
__global__ void place_other_type_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (t < 32) ((short *)sum)[4 * t] = 0;
    __syncthreads();
    if (keep) out[base + sum[t]] = t; //~ here
}

// [blocks] The sums of one block say nothing of those of another.
//~ race
__global__ void place_across_blocks_bad(const int *in, int *out)
{
    __shared__ int sum[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (keep) out[sum[t] - 1] = t; //~ here
}
