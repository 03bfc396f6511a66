//--blockDim=128 --gridDim=8
// Contents: work lists, buckets and rows whose places come from data

// A list of a block: places are drawn from a counter in shared memory, and the block draws room for all of them at once.
//~ race-free
__global__ void list_of_block_ok(const int *in, int *list, int *length)
{
    __shared__ int count, first;
    int t = threadIdx.x, place = -1;
    if (t == 0) count = 0;
    __syncthreads();
    bool wanted = in[blockIdx.x * 128 + t] > 0;
    if (wanted) place = atomicAdd(&count, 1);
    __syncthreads();
    if (t == 0) first = atomicAdd(length, count);
    __syncthreads();
    if (wanted) list[first + place] = t;
}

// [missing barrier] The room is drawn before all places are.
//~ race
__global__ void list_of_block_bad(const int *in, int *list, int *length)
{
    __shared__ int count, first;
    int t = threadIdx.x, place = -1;
    if (t == 0) count = 0;
    __syncthreads();
    bool wanted = in[blockIdx.x * 128 + t] > 0;
    if (wanted) place = atomicAdd(&count, 1);
    if (t == 0) first = atomicAdd(length, count); //~ here
    __syncthreads();
    if (wanted) list[first + place] = t;
}

// Each warp draws room by its first lane, for as many as vote.
//~ race-free
__global__ void list_of_warps_ok(const int *in, int *list, int *length)
{
    int lane = threadIdx.x % 32;
    bool wanted = in[blockIdx.x * 128 + threadIdx.x] > 0;
    unsigned votes = __ballot_sync(0xffffffff, wanted);
    int first = 0;
    if (lane == 0) first = atomicAdd(length, __popc(votes));
    first = __shfl_sync(0xffffffff, first, 0);
    if (wanted) list[first + __popc(votes & ((1u << lane) - 1))] = threadIdx.x;
}

// [atomic] The room is one less than what is used.
//~ race
__global__ void list_of_warps_less_bad(const int *in, int *list, int *length)
{
    int lane = threadIdx.x % 32;
    bool wanted = in[blockIdx.x * 128 + threadIdx.x] > 0;
    unsigned votes = __ballot_sync(0xffffffff, wanted);
    int first = 0;
    if (lane == 0) first = atomicAdd(length, __popc(votes) - 1);
    first = __shfl_sync(0xffffffff, first, 0);
    if (wanted) list[first + __popc(votes & ((1u << lane) - 1))] = threadIdx.x; //~ here
}

// [shuffle] Each lane takes the number of the lane below it.
//~ race
__global__ void list_of_warps_up_bad(const int *in, int *list, int *length)
{
    int lane = threadIdx.x % 32;
    bool wanted = in[blockIdx.x * 128 + threadIdx.x] > 0;
    unsigned votes = __ballot_sync(0xffffffff, wanted);
    int first = 0;
    if (lane == 0) first = atomicAdd(length, __popc(votes));
    first = __shfl_up_sync(0xffffffff, first, 1);
    if (wanted) list[first + __popc(votes & ((1u << lane) - 1))] = threadIdx.x; //~ here
}

// The rows of a sparse matrix are in order: each thread scales its own.
//~ race-free
__global__ void rows_scaled_ok(float *value, const int *begin, int rows)
{
    __offsets(begin);
    int r = blockIdx.x * 128 + threadIdx.x;
    if (r < rows)
        for (int i = begin[r]; i < begin[r + 1]; i++) value[i] *= 2;
}

// [extent] One element too many is that of the next row.
//~ race
__global__ void rows_scaled_bad(float *value, const int *begin, int rows)
{
    __offsets(begin);
    int r = blockIdx.x * 128 + threadIdx.x;
    if (r < rows)
        for (int i = begin[r]; i <= begin[r + 1]; i++) value[i] *= 2; //~ here
}

// A warp for each row: lanes go through it in steps of a warp.
//~ race-free
__global__ void rows_by_warps_ok(float *value, const int *begin, int rows)
{
    __offsets(begin);
    int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
    if (r < rows)
        for (int i = begin[r] + lane; i < begin[r + 1]; i += 32) value[i] *= 2;
}

// [extent] Two warps of a block have one row.
//~ race
__global__ void rows_by_warps_bad(float *value, const int *begin, int rows)
{
    __offsets(begin);
    int lane = threadIdx.x % 32, r = blockIdx.x * 2 + threadIdx.x / 64;
    if (r < rows)
        for (int i = begin[r] + lane; i < begin[r + 1]; i += 32) value[i] *= 2; //~ here
}

// The sum of a row, by a warp whose first lane writes it.
//~ race-free
__global__ void row_sums_ok(const float *value, const int *begin, float *out, int rows)
{
    int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
    float sum = 0;
    if (r < rows)
        for (int i = begin[r] + lane; i < begin[r + 1]; i += 32) sum += value[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0 && r < rows) out[r] = sum;
}

// [overlap] Every lane writes what it has, and only the first has the sum.
//~ race
__global__ void row_sums_bad(const float *value, const int *begin, float *out, int rows)
{
    int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
    float sum = 0;
    if (r < rows)
        for (int i = begin[r] + lane; i < begin[r + 1]; i += 32) sum += value[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (r < rows) out[r] = sum; //~ here
}

// Buckets begin where an earlier launch put the exclusive sum of their sizes; each thread fills its own.
//~ race-free
__global__ void buckets_filled_ok(const int *item, const int *first, int *out, int buckets)
{
    __offsets(first);
    int b = blockIdx.x * 128 + threadIdx.x;
    if (b < buckets)
        for (int i = 0; i < first[b + 1] - first[b]; i++) out[first[b] + i] = item[b] + i;
}

// [extent] Each bucket is taken to be of eight elements.
//~ race
__global__ void buckets_filled_bad(const int *item, const int *first, int *out, int buckets)
{
    __offsets(first);
    int b = blockIdx.x * 128 + threadIdx.x;
    if (b < buckets)
        for (int i = 0; i < 8; i++) out[first[b] + i] = item[b] + i; //~ here
}

// A transposition: each entry goes to the place that a counter of its column gives it, columns being apart.
//~ race
__global__ void transposed_bad(const int *column, const int *first, int *next, int *out, int entries)
{
    __offsets(first);
    int e = blockIdx.x * 128 + threadIdx.x;
    if (e < entries) {
        int c = column[e];
        int place = next[c]; //~ here
        next[c] = place + 1;
        out[first[c] + place] = e;
    }
}

// A stable partition by a scan of votes, with what is dropped at the end of the part of the block, from behind.
//~ race-free
__global__ void both_ends_ok(const int *in, int *out)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int v = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += v;
        __syncthreads();
    }
    int place = keep ? sum[t] - 1 : 127 - (t - sum[t]);
    out[base + place] = in[base + t];
}

// [scan] From behind, by one too few.
//~ race
__global__ void both_ends_bad(const int *in, int *out)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] > 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int v = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += v;
        __syncthreads();
    }
    int place = keep ? sum[t] - 1 : 126 - (t - sum[t]);
    out[base + 1 + place] = in[base + t]; //~ here
}

// A warp agrees on a value by a butterfly, and its first lane writes it to the place of the warp.
//~ fp_race-free
__global__ void agreed_ok(const int *in, int *out)
{
    int v = in[blockIdx.x * 128 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v = min(v, __shfl_xor_sync(0xffffffff, v, d));
    out[blockIdx.x * 4 + threadIdx.x / 32] = v;
}

// [butterfly] Halves of the warp write two values to one place.
//~ race
__global__ void agreed_bad(const int *in, int *out)
{
    int v = in[blockIdx.x * 128 + threadIdx.x];
    for (int d = 8; d > 0; d /= 2) v = min(v, __shfl_xor_sync(0xffffffff, v, d));
    out[blockIdx.x * 4 + threadIdx.x / 32] = v; //~ here
}
