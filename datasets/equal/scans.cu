//--blockDim=64
// Inclusive sums of the elements before each, in blocks of 64.
//= equal scan_plain_ok scan_doubling_ok scan_tree_ok scan_row_ok scan_shuffled_ok
//= different scan_plain_ok scan_exclusive_ok scan_short_ok scan_warp_ok scan_distance_ok
//= different scan_doubling_ok scan_exclusive_ok scan_short_ok scan_warp_ok scan_distance_ok
//= different scan_shuffled_ok scan_exclusive_ok scan_short_ok scan_warp_ok scan_distance_ok

// Every thread for itself.
//~ race-free
__global__ void scan_plain_ok(int *out, const int *in)
{
    int first = blockIdx.x * 64, sum = 0;
    for (int k = 0; k <= threadIdx.x; k++)
        sum += in[first + k];
    out[first + threadIdx.x] = sum;
}

// By doubling distances.
//~ race-free
__global__ void scan_doubling_ok(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    s[t] = in[at];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int more = 0;
        if (t >= d)
            more = s[t - d];
        __syncthreads();
        s[t] += more;
        __syncthreads();
    }
    out[at] = s[t];
}

// Up and down a tree.
//~ race-free
__global__ void scan_tree_ok(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    s[t] = in[at];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int right = 2 * d * (t + 1) - 1;
        if (right < 64)
            s[right] += s[right - d];
        __syncthreads();
    }
    for (int d = 16; d > 0; d /= 2) {
        int left = 2 * d * (t + 1) - 1;
        if (left + d < 64)
            s[left + d] += s[left];
        __syncthreads();
    }
    out[at] = s[t];
}

// By one thread.
//~ race-free
__global__ void scan_row_ok(int *out, const int *in)
{
    int first = blockIdx.x * 64;
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < 64; k++) {
            sum += in[first + k];
            out[first + k] = sum;
        }
    }
}

// By shuffles, two warps.
//~ race-free
__global__ void scan_shuffled_ok(int *out, const int *in)
{
    __shared__ int total;
    int t = threadIdx.x, at = blockIdx.x * 64 + t, lane = t % 32;
    int v = in[at];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += other;
    }
    if (t == 31)
        total = v;
    __syncthreads();
    out[at] = t < 32 ? v : v + total;
}

// Without the element itself.
//~ race-free
__global__ void scan_exclusive_ok(int *out, const int *in)
{
    int first = blockIdx.x * 64, sum = 0;
    for (int k = 0; k < threadIdx.x; k++)
        sum += in[first + k];
    out[first + threadIdx.x] = sum;
}

// One step too few.
//~ race-free
__global__ void scan_short_ok(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    s[t] = in[at];
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        int more = 0;
        if (t >= d)
            more = s[t - d];
        __syncthreads();
        s[t] += more;
        __syncthreads();
    }
    out[at] = s[t];
}

// The second warp without the first.
//~ race-free
__global__ void scan_warp_ok(int *out, const int *in)
{
    int t = threadIdx.x, at = blockIdx.x * 64 + t, lane = t % 32;
    int v = in[at];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += other;
    }
    out[at] = v;
}

// The distance is one off.
//~ race-free
__global__ void scan_distance_ok(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    s[t] = in[at];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int more = 0;
        if (t > d)
            more = s[t - d];
        __syncthreads();
        s[t] += more;
        __syncthreads();
    }
    out[at] = s[t];
}
