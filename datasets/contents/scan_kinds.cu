//--blockDim=128 --gridDim=8
// Contents: kinds of scans, and what stands around them

// Blelloch: up the tree and down again, two elements a thread; an exclusive sum.
//~ race-free
__global__ void blelloch_ok(const int *in, int *out)
{
    __shared__ int tree[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int a = in[base + 2 * t] > 0, b = in[base + 2 * t + 1] > 0;
    tree[2 * t] = a;
    tree[2 * t + 1] = b;
    int step = 1;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
        step *= 2;
    }
    if (t == 0) tree[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < d) {
            int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
            int below = tree[left];
            tree[left] = tree[right];
            tree[right] += below;
        }
    }
    __syncthreads();
    if (a) out[base + tree[2 * t]] = 2 * t;
    if (b) out[base + tree[2 * t + 1]] = 2 * t + 1;
}

// [root] A node is set to 0 that is not the root: the two elements below it are missing in the sums behind them.
//~ race
__global__ void blelloch_root_bad(const int *in, int *out)
{
    __shared__ int tree[256];
    int t = threadIdx.x, base = blockIdx.x * 512;
    int a = in[base + 2 * t] > 0, b = in[base + 2 * t + 1] > 0;
    tree[2 * t] = a;
    tree[2 * t + 1] = b;
    int step = 1;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
        step *= 2;
    }
    if (t == 0) tree[253] = 0;
    for (int d = 1; d < 256; d *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < d) {
            int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
            int below = tree[left];
            tree[left] = tree[right];
            tree[right] += below;
        }
    }
    __syncthreads();
    if (a) out[base + tree[2 * t]] = 2 * t; //~ here
    if (b) out[base + tree[2 * t + 1]] = 2 * t + 1;
}

// [one flag for two] Both elements are stored where only the first is counted.
//~ race
__global__ void blelloch_flag_bad(const int *in, int *out)
{
    __shared__ int tree[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    int a = in[base + 2 * t] > 0;
    tree[2 * t] = a;
    tree[2 * t + 1] = 0;
    int step = 1;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
        step *= 2;
    }
    if (t == 0) tree[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < d) {
            int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
            int below = tree[left];
            tree[left] = tree[right];
            tree[right] += below;
        }
    }
    __syncthreads();
    if (a) out[base + tree[2 * t]] = 2 * t; //~ here
    if (in[base + 2 * t + 1] > 0) out[base + tree[2 * t + 1]] = 2 * t + 1; //~ here
}

// Two buffers that change places in each step.
//~ race-free
__global__ void buffers_ok(const int *in, int *out)
{
    __shared__ int half[2][128];
    int t = threadIdx.x, base = blockIdx.x * 128, now = 0;
    int keep = in[base + t] != 0;
    half[0][t] = keep;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        half[1 - now][t] = t >= d ? half[now][t] + half[now][t - d] : half[now][t];
        now = 1 - now;
        __syncthreads();
    }
    if (keep) out[base + half[now][t] - 1] = t;
}

// [buffers] The other half is read: it is a step behind.
//~ race
__global__ void buffers_behind_bad(const int *in, int *out)
{
    __shared__ int half[2][128];
    int t = threadIdx.x, base = blockIdx.x * 128, now = 0;
    int keep = in[base + t] != 0;
    half[0][t] = keep;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        half[1 - now][t] = t >= d ? half[now][t] + half[now][t - d] : half[now][t];
        now = 1 - now;
        __syncthreads();
    }
    if (keep) out[base + half[1 - now][t] - 1] = t; //~ here
}

// One thread counts all, one element after the other.
//~ race-free
__global__ void serial_ok(const int *in, int *out)
{
    __shared__ int sum[129];
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] != 0;
    sum[t + 1] = keep;
    if (t == 0) sum[0] = 0;
    __syncthreads();
    if (t == 0)
        for (int i = 0; i < 128; i++) sum[i + 1] += sum[i];
    __syncthreads();
    if (keep) out[base + sum[t]] = t;
}

// [serial] The last places are left out: that of the last thread is the flag of the one before it.
//~ race
__global__ void serial_short_bad(const int *in, int *out)
{
    __shared__ int sum[129];
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] != 0;
    sum[t + 1] = keep;
    if (t == 0) sum[0] = 0;
    __syncthreads();
    if (t == 0)
        for (int i = 0; i < 126; i++) sum[i + 1] += sum[i];
    __syncthreads();
    if (keep) out[base + sum[t]] = t; //~ here
}

// The scan is in a round of the block: any number of rounds, each with room of its own.
//~ race-free
__global__ void rounds_ok(const int *in, int *out, int n)
{
    __shared__ int sum[128];
    int t = threadIdx.x;
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
        int keep = in[i * 128 + t] != 0;
        sum[t] = keep;
        __syncthreads();
        for (int d = 1; d < 128; d *= 2) {
            int below = t >= d ? sum[t - d] : 0;
            __syncthreads();
            sum[t] += below;
            __syncthreads();
        }
        if (keep) out[i * 128 + sum[t] - 1] = t;
        __syncthreads();
    }
}

// All rounds have the same room; barriers stand between them.
//~ race-free
__global__ void rounds_room_ok(const int *in, int *out, int n)
{
    __shared__ int sum[128];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        int keep = in[i * 128 + t] != 0;
        sum[t] = keep;
        __syncthreads();
        for (int d = 1; d < 128; d *= 2) {
            int below = t >= d ? sum[t - d] : 0;
            __syncthreads();
            sum[t] += below;
            __syncthreads();
        }
        if (keep) out[blockIdx.x * 128 + sum[t] - 1] = i;
    }
}

// [rounds] A fast thread begins the next round while a slow one reads its place.
//~ race
__global__ void rounds_next_bad(const int *in, int *out, int n)
{
    __shared__ int sum[128];
    int t = threadIdx.x;
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
        int keep = in[i * 128 + t] != 0;
        sum[t] = keep; //~ here
        __syncthreads();
        for (int d = 1; d < 128; d *= 2) {
            int below = t >= d ? sum[t - d] : 0;
            __syncthreads();
            sum[t] += below;
            __syncthreads();
        }
        int place = t > 0 ? sum[t - 1] : 0; //~ here
        if (keep) out[i * 128 + place] = t;
    }
}

// The whole block leaves where there is nothing to do.
//~ race-free
__global__ void left_together_ok(const int *in, int *out, int n)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    if (base >= n) return;
    int keep = base + t < n && in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (keep) out[base + sum[t] - 1] = t;
}

// [uniform] Where the block leaves out the last part of the scan, sums of the halves are read.
//~ race
__global__ void left_out_bad(const int *in, int *out, int n)
{
    __shared__ int sum[128];
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
    if (n > blockIdx.x) {
        int below = t >= 64 ? sum[t - 64] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (keep) out[base + sum[t] - 1] = t; //~ here
}

// Under the same condition the whole scan is there.
//~ race-free
__global__ void under_one_condition_ok(const int *in, int *out, int n)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    if (n > 5) {
        int keep = in[base + t] != 0;
        sum[t] = keep;
        __syncthreads();
        for (int d = 1; d < 128; d *= 2) {
            int below = t >= d ? sum[t - d] : 0;
            __syncthreads();
            sum[t] += below;
            __syncthreads();
        }
        if (keep) out[base + sum[t] - 1] = t;
    }
}

// [unsigned] Sums of numbers without a bound may wrap, and come back to where they were.
//~ race
__global__ void wrapped_bad(const unsigned *in, int *out)
{
    __shared__ unsigned sum[128];
    int t = threadIdx.x;
    unsigned own = in[blockIdx.x * 128 + t];
    sum[t] = own;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        unsigned below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (own) out[(unsigned long long)blockIdx.x * 4294967296ull + sum[t]] = t; //~ here
}

// A segment of 32 lanes each, with room for each.
//~ race-free
__global__ void segments_ok(const int *in, int *out)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128, lane = t % 32;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        int below = lane >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (keep) out[base + t / 32 * 32 + sum[t] - 1] = t;
}

// [segments] The segments have one room.
//~ race
__global__ void segments_room_bad(const int *in, int *out)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128, lane = t % 32;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        int below = lane >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (keep) out[base + sum[t] - 1] = t; //~ here
}

// Warps of one block synchronise on their own; each has its part of the array.
//~ race-free
__global__ void warps_ok(const int *in, int *out)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128, lane = t % 32;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncwarp();
    for (int d = 1; d < 32; d *= 2) {
        int below = lane >= d ? sum[t - d] : 0;
        __syncwarp();
        sum[t] += below;
        __syncwarp();
    }
    if (keep) out[base + t / 32 * 32 + sum[t] - 1] = t;
}

// [warps] A warp barrier does not make the sums of another warp visible.
//~ race
__global__ void warps_beyond_bad(const int *in, int *out)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    int keep = in[base + t] != 0;
    sum[t] = keep; //~ here
    __syncwarp();
    for (int d = 1; d < 128; d *= 2) {
        int below = t >= d ? sum[t - d] : 0; //~ here
        __syncwarp();
        sum[t] += below; //~ here
        __syncwarp();
    }
    if (keep) out[base + sum[t] - 1] = t;
}

// [partial block] Some threads leave before the scan: their elements are never stored.
//~ race
__global__ void partial_bad(const int *in, int *out, int n)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    if (in[base + t] < 0) return;
    int keep = in[base + t] != 0;
    sum[t] = keep;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    if (keep) out[base + sum[t] - 1] = t; //~ here
}

// Sums of sums: the scan of counts gives each thread the start of its row in shared memory.
//~ race-free
__global__ void rows_in_shared_ok(const int *in, int *out)
{
    __shared__ int start[128];
    __shared__ int row[384];
    int t = threadIdx.x, base = blockIdx.x * 128;
    int count = in[base + t] & 1 ? 3 : in[base + t] & 2;
    start[t] = count;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int below = t >= d ? start[t - d] : 0;
        __syncthreads();
        start[t] += below;
        __syncthreads();
    }
    for (int j = 0; j < count; j++) row[start[t] - 1 - j] = t;
    __syncthreads();
    for (int j = t; j < 384; j += 128) out[blockIdx.x * 384 + j] = row[j];
}

// [two writers] Two threads store one flag, of equal value where both are there: nobody's sum has both.
//~ race
__global__ void two_writers_bad(const int *in, int *out)
{
    __shared__ int sum[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    sum[t & ~1] = 1;
    sum[t | 1] = 1;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int below = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    out[base + (sum[t] - 1) / 2] = t; //~ here
}
