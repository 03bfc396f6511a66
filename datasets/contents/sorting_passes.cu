//--blockDim=256 --gridDim=16
// Contents: passes of sorts, merges and groupings in one block

// One pass of a radix sort by one bit: the zeros in order, then the ones in order.
//~ race-free
__global__ void split_by_bit_ok(const unsigned *in, unsigned *out, int bit)
{
    __shared__ int zeros[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    unsigned key = in[base + t];
    int is_zero = ((key >> bit) & 1) == 0;
    zeros[t] = is_zero;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? zeros[t - d] : 0;
        __syncthreads();
        zeros[t] += v;
        __syncthreads();
    }
    int before = zeros[t] - is_zero, all = zeros[255];
    out[base + (is_zero ? before : all + t - before)] = key;
}

// [scan] The ones go behind the zeros before them only.
//~ race
__global__ void split_by_bit_bad(const unsigned *in, unsigned *out, int bit)
{
    __shared__ int zeros[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    unsigned key = in[base + t];
    int is_zero = ((key >> bit) & 1) == 0;
    zeros[t] = is_zero;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? zeros[t - d] : 0;
        __syncthreads();
        zeros[t] += v;
        __syncthreads();
    }
    int before = zeros[t] - is_zero;
    out[base + (is_zero ? before : before + t)] = key; //~ here
}

// The keys are moved in shared memory, and written back in order.
//~ race-free
__global__ void split_in_place_ok(unsigned *keys, int bit)
{
    __shared__ int zeros[256];
    __shared__ unsigned key[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    key[t] = keys[base + t];
    __syncthreads();
    unsigned own = key[t];
    int is_zero = ((own >> bit) & 1) == 0;
    zeros[t] = is_zero;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? zeros[t - d] : 0;
        __syncthreads();
        zeros[t] += v;
        __syncthreads();
    }
    int before = zeros[t] - is_zero, all = zeros[255];
    key[is_zero ? before : all + t - before] = own;
    __syncthreads();
    keys[base + t] = key[t];
}

// [missing barrier] The keys are read back before all are moved.
//~ race
__global__ void split_in_place_bad(unsigned *keys, int bit)
{
    __shared__ int zeros[256];
    __shared__ unsigned key[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    key[t] = keys[base + t];
    __syncthreads();
    unsigned own = key[t];
    int is_zero = ((own >> bit) & 1) == 0;
    zeros[t] = is_zero;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? zeros[t - d] : 0;
        __syncthreads();
        zeros[t] += v;
        __syncthreads();
    }
    int before = zeros[t] - is_zero;
    key[is_zero ? before : zeros[255] + t - before] = own; //~ here
    keys[base + t] = key[t];
}

// The zeros of a bit are counted by votes of warps, and the warps by one thread.
//~ race-free
__global__ void split_by_votes_ok(const unsigned *in, unsigned *out, int bit)
{
    __shared__ int zeros[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 256;
    unsigned key = in[base + t];
    bool is_zero = ((key >> bit) & 1) == 0;
    unsigned votes = __ballot_sync(0xffffffff, is_zero);
    if (lane == 0) zeros[warp] = __popc(votes);
    __syncthreads();
    if (t == 0)
        for (int w = 1; w < 8; w++) zeros[w] += zeros[w - 1];
    __syncthreads();
    int before = (warp > 0 ? zeros[warp - 1] : 0) + __popc(votes & ((1u << lane) - 1));
    out[base + (is_zero ? before : zeros[7] + t - before)] = key;
}

// [scan] The sums of warps begin one too late.
//~ race
__global__ void split_by_votes_bad(const unsigned *in, unsigned *out, int bit)
{
    __shared__ int zeros[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 256;
    unsigned key = in[base + t];
    bool is_zero = ((key >> bit) & 1) == 0;
    unsigned votes = __ballot_sync(0xffffffff, is_zero);
    if (lane == 0) zeros[warp] = __popc(votes);
    __syncthreads();
    if (t == 0)
        for (int w = 2; w < 8; w++) zeros[w] += zeros[w - 1];
    __syncthreads();
    int before = (warp > 0 ? zeros[warp - 1] : 0) + __popc(votes & ((1u << lane) - 1));
    out[base + (is_zero ? before : zeros[7] + t - before)] = key; //~ here
}

// Keys of two bits: a scan for each of the four digits, one after the other.
//~ race-free
__global__ void split_by_digit_ok(const unsigned *in, unsigned *out)
{
    __shared__ int sum[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    unsigned key = in[base + t] & 3;
    int start = 0, place = 0;
    for (unsigned digit = 0; digit < 4; digit++) {
        int is = key == digit;
        sum[t] = is;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            int v = t >= d ? sum[t - d] : 0;
            __syncthreads();
            sum[t] += v;
            __syncthreads();
        }
        if (is) place = start + sum[t] - 1;
        start += sum[255];
        __syncthreads();
    }
    if (place >= 0) out[base + t] = place;
}

// A histogram with a copy for each warp: warps are apart, and the copies are added after a barrier.
//~ race-free
__global__ void histogram_copies_ok(const unsigned char *in, int *out)
{
    __shared__ int count[8][16];
    int t = threadIdx.x, warp = t / 32;
    for (int i = t; i < 8 * 16; i += 256) count[i / 16][i % 16] = 0;
    __syncthreads();
    atomicAdd(&count[warp][in[blockIdx.x * 256 + t] & 15], 1);
    __syncthreads();
    if (t < 16) {
        int sum = 0;
        for (int w = 0; w < 8; w++) sum += count[w][t];
        atomicAdd(&out[t], sum);
    }
}

// [missing barrier] The copies are added before they are complete.
//~ race
__global__ void histogram_copies_bad(const unsigned char *in, int *out)
{
    __shared__ int count[8][16];
    int t = threadIdx.x, warp = t / 32;
    for (int i = t; i < 8 * 16; i += 256) count[i / 16][i % 16] = 0;
    __syncthreads();
    atomicAdd(&count[warp][in[blockIdx.x * 256 + t] & 15], 1); //~ here
    if (t < 16) {
        int sum = 0;
        for (int w = 0; w < 8; w++) sum += count[w][t];
        atomicAdd(&out[t], sum);
    }
}

// [atomic] Lanes of one warp count without an atomic operation.
//~ race
__global__ void histogram_plain_bad(const unsigned char *in, int *out)
{
    __shared__ int count[8][16];
    int t = threadIdx.x, warp = t / 32;
    for (int i = t; i < 8 * 16; i += 256) count[i / 16][i % 16] = 0;
    __syncthreads();
    count[warp][in[blockIdx.x * 256 + t] & 15]++; //~ here
    __syncthreads();
    if (t < 16) {
        int sum = 0;
        for (int w = 0; w < 8; w++) sum += count[w][t];
        atomicAdd(&out[t], sum);
    }
}

// A histogram with a copy for each thread, without atomic operations.
//~ race-free
__global__ void histogram_of_thread_ok(const unsigned char *in, int *out)
{
    __shared__ unsigned char count[16][256];
    int t = threadIdx.x;
    for (int b = 0; b < 16; b++) count[b][t] = 0;
    for (int i = 0; i < 100; i++) count[in[(blockIdx.x * 256 + t) * 100 + i] & 15][t]++;
    __syncthreads();
    if (t < 16) {
        int sum = 0;
        for (int w = 0; w < 256; w++) sum += count[t][w];
        atomicAdd(&out[t], sum);
    }
}

// [overlap] The copies are of 128 threads.
//~ race
__global__ void histogram_of_thread_bad(const unsigned char *in, int *out)
{
    __shared__ unsigned char count[16][128];
    int t = threadIdx.x;
    for (int b = 0; b < 16; b++) count[b][t % 128] = 0; //~ here
    for (int i = 0; i < 100; i++) count[in[(blockIdx.x * 256 + t) * 100 + i] & 15][t % 128]++; //~ here
    __syncthreads();
    if (t < 16) {
        int sum = 0;
        for (int w = 0; w < 128; w++) sum += count[t][w];
        atomicAdd(&out[t], sum);
    }
}

// A bitonic sort of keys with what belongs to them.
//~ race-free
__global__ void bitonic_pairs_ok(int *keys, int *values)
{
    __shared__ int key[512], value[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    for (int i = t; i < 512; i += 256) {
        key[i] = keys[base + i];
        value[i] = values[base + i];
    }
    for (int size = 2; size <= 512; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int at = 2 * t - (t & (stride - 1)), other = at + stride;
            bool up = (at & size) == 0;
            if ((key[at] > key[other]) == up) {
                int k = key[at], v = value[at];
                key[at] = key[other];
                value[at] = value[other];
                key[other] = k;
                value[other] = v;
            }
        }
    __syncthreads();
    for (int i = t; i < 512; i += 256) {
        keys[base + i] = key[i];
        values[base + i] = value[i];
    }
}

// [missing barrier] The barrier stands in the outer loop only.
//~ race
__global__ void bitonic_pairs_bad(int *keys, int *values)
{
    __shared__ int key[512], value[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    for (int i = t; i < 512; i += 256) {
        key[i] = keys[base + i];
        value[i] = values[base + i];
    }
    for (int size = 2; size <= 512; size *= 2) {
        __syncthreads();
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int at = 2 * t - (t & (stride - 1)), other = at + stride;
            bool up = (at & size) == 0;
            if ((key[at] > key[other]) == up) { //~ here
                int k = key[at], v = value[at];
                key[at] = key[other];
                value[at] = value[other];
                key[other] = k;
                value[other] = v;
            }
        }
    }
    __syncthreads();
    for (int i = t; i < 512; i += 256) {
        keys[base + i] = key[i];
        values[base + i] = value[i];
    }
}

// Run-length encoding: the first element of each run writes its value at the number of runs before it.
//~ race-free
__global__ void encode_runs_ok(const int *in, int *value, int *start)
{
    __shared__ int sum[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int first = t == 0 || in[base + t] != in[base + t - 1];
    sum[t] = first;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += v;
        __syncthreads();
    }
    if (first) {
        value[base + sum[t] - 1] = in[base + t];
        start[base + sum[t] - 1] = t;
    }
}

// [scan] Every element of a run writes to its place.
//~ race
__global__ void encode_runs_all_bad(const int *in, int *value, int *start)
{
    __shared__ int sum[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int first = t == 0 || in[base + t] != in[base + t - 1];
    sum[t] = first;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += v;
        __syncthreads();
    }
    start[base + sum[t] - 1] = t; //~ here
}

// The last element of each run writes its end.
//~ race-free
__global__ void encode_ends_ok(const int *in, int *end)
{
    __shared__ int sum[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int last = t == 255 || in[base + t] != in[base + t + 1];
    sum[t] = last;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += v;
        __syncthreads();
    }
    if (last) end[base + sum[t] - 1] = t + 1;
}

// The own run is decoded: each thread fills as many elements as its run is long, at most four.
//~ race-free
__global__ void decode_runs_ok(const int *value, const int *length, int *out)
{
    __shared__ int sum[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int own = length[base + t] & 3;
    sum[t] = own;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += v;
        __syncthreads();
    }
    for (int i = 0; i < own; i++) out[blockIdx.x * 768 + sum[t] - own + i] = value[base + t];
}

// [scan] The inclusive sum is where the next run begins.
//~ race
__global__ void decode_runs_bad(const int *value, const int *length, int *out)
{
    __shared__ int sum[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int own = length[base + t] & 3;
    sum[t] = own;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += v;
        __syncthreads();
    }
    for (int i = 0; i <= own; i++) out[blockIdx.x * 1024 + sum[t] - own + i] = value[base + t]; //~ here
}

// Sums of segments: heads are counted, the last element of each segment writes the sum of its segment to the place of its segment.
//~ race-free
__global__ void segment_sums_ok(const int *in, const int *head, int *out)
{
    __shared__ int nth[256];
    __shared__ int number[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int first = t == 0 || head[base + t] != 0;
    nth[t] = first;
    number[t] = in[base + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? nth[t - d] : 0;
        __syncthreads();
        nth[t] += v;
        __syncthreads();
    }
    if (first) {
        int sum = number[t];
        for (int i = t + 1; i < 256 && nth[i] == nth[t]; i++) sum += number[i];
        out[base + nth[t] - 1] = sum;
    }
}

// [scan] Each element adds to the sum of its segment, without an atomic operation.
//~ race
__global__ void segment_sums_bad(const int *in, const int *head, int *out)
{
    __shared__ int nth[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int first = t == 0 || head[base + t] != 0;
    nth[t] = first;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? nth[t - d] : 0;
        __syncthreads();
        nth[t] += v;
        __syncthreads();
    }
    out[base + nth[t] - 1] += in[base + t]; //~ here
}

// Sums of segments by shuffles: a lane adds what comes from its own segment, and the last lane of each writes.
//~ race-free
__global__ void segment_shuffles_ok(const int *in, const int *row, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 256;
    int own = row[base + t], sum = in[base + t];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, own, d);
        int more = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d && other == own) sum += more;
    }
    int next = __shfl_down_sync(0xffffffff, own, 1);
    if (lane == 31 || next != own) atomicAdd(&out[own], sum);
}

// [atomic] Two segments of one row, in two warps, are added without an atomic operation.
//~ race
__global__ void segment_shuffles_bad(const int *in, const int *row, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 256;
    int own = row[base + t], sum = in[base + t];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, own, d);
        int more = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d && other == own) sum += more;
    }
    int next = __shfl_down_sync(0xffffffff, own, 1);
    if (lane == 31 || next != own) out[own] += sum; //~ here
}

// The path of a merge: each thread finds by search where its part begins, and writes a part of its own.
//~ race-free
__global__ void merge_path_ok(const int *a, const int *b, int *out, int n, int m)
{
    int at = (blockIdx.x * 256 + threadIdx.x) * 4;
    int low = max(0, at - m), high = min(at, n);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[at - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    int i = low, j = at - low;
    for (int k = 0; k < 4 && at + k < n + m; k++) {
        bool first = j >= m || (i < n && a[i] <= b[j]);
        out[at + k] = first ? a[i++] : b[j++];
    }
}

// [extent] Five elements are written, the last of which is the first of the next thread.
//~ race
__global__ void merge_path_bad(const int *a, const int *b, int *out, int n, int m)
{
    int at = (blockIdx.x * 256 + threadIdx.x) * 4;
    int low = max(0, at - m), high = min(at, n);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[at - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    int i = low, j = at - low;
    for (int k = 0; k < 5 && at + k < n + m; k++) {
        bool first = j >= m || (i < n && a[i] <= b[j]);
        out[at + k] = first ? a[i++] : b[j++]; //~ here
    }
}
