//--blockDim=128 --gridDim=2
// Pairs before and after a fix: a helper's shared scratch is used again by the next call

// Sum of a block by halves; the barrier at the end is left to nobody.
__device__ int sum_open(int v)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = v; //~ here
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    return s[0]; //~ here
}

// The same, closed by a barrier.
__device__ int sum_closed(int v)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    int all = s[0];
    __syncthreads();
    return all;
}

// [reuse] The second call stores where the result of the first is still being read.
//~ race
__global__ void pair_mean_variance_bad(const int *g, int *out)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int mean = sum_open(g[i]) / 128;
    int d = g[i] - mean;
    int variance = sum_open(d * d);
    if (threadIdx.x == 0) out[blockIdx.x] = variance;
}

// After: the helper ends with a barrier.
//~ race-free
__global__ void pair_mean_variance_ok(const int *g, int *out)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int mean = sum_closed(g[i]) / 128;
    int d = g[i] - mean;
    int variance = sum_closed(d * d);
    if (threadIdx.x == 0) out[blockIdx.x] = variance;
}

// [reuse] One call in the source, many in the loop.
//~ race
__global__ void pair_call_in_loop_bad(const int *g, int *out, int rows)
{
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        int all = sum_open(g[row * 128 + threadIdx.x]);
        if (threadIdx.x == 0) out[row] = all;
    }
}

// After: a barrier between the calls.
//~ race-free
__global__ void pair_call_in_loop_ok(const int *g, int *out, int rows)
{
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        int all = sum_open(g[row * 128 + threadIdx.x]);
        __syncthreads();
        if (threadIdx.x == 0) out[row] = all;
    }
}

// Leaves the largest value of the block in the first element of the scratch.
__device__ void largest_into(int *scratch, int v)
{
    int t = threadIdx.x;
    scratch[t] = v; //~ here
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (t < k && scratch[t + k] > scratch[t]) scratch[t] = scratch[t + k];
        __syncthreads();
    }
}

// [reuse] The caller's scratch is handed to two calls.
//~ race
__global__ void pair_range_bad(const int *g, int *out)
{
    __shared__ int scratch[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    largest_into(scratch, g[i]);
    int high = scratch[0]; //~ here
    largest_into(scratch, -g[i]);
    int low = -scratch[0];
    out[i] = g[i] - low + high;
}

// After: the result is read by all before the second call.
//~ race-free
__global__ void pair_range_ok(const int *g, int *out)
{
    __shared__ int scratch[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    largest_into(scratch, g[i]);
    int high = scratch[0];
    __syncthreads();
    largest_into(scratch, -g[i]);
    int low = -scratch[0];
    out[i] = g[i] - low + high;
}

// The value of thread 0, for all.
__device__ int from_first_open(int v)
{
    __shared__ int box;
    if (threadIdx.x == 0) box = v; //~ here
    __syncthreads();
    return box; //~ here
}

__device__ int from_first_closed(int v)
{
    __shared__ int box;
    __syncthreads();
    if (threadIdx.x == 0) box = v;
    __syncthreads();
    return box;
}

// [reuse] Two broadcasts through one box.
//~ race
__global__ void pair_broadcast_twice_bad(const int *g, int *out)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int a = from_first_open(g[i]);
    int b = from_first_open(g[i] + 1);
    out[i] = a * b;
}

// After: the broadcast begins with a barrier, too.
//~ race-free
__global__ void pair_broadcast_twice_ok(const int *g, int *out)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int a = from_first_closed(g[i]);
    int b = from_first_closed(g[i] + 1);
    out[i] = a * b;
}

// Exchange with the thread opposite, in the dynamic scratch.
__device__ float opposite(float *scratch, float v)
{
    scratch[threadIdx.x] = v; //~ here
    __syncthreads();
    return scratch[127 - threadIdx.x]; //~ here
}

// [reuse] Real and imaginary part go through the same scratch.
//~ race
__global__ void pair_complex_flip_bad(float *re, float *im)
{
    extern __shared__ float scratch[];
    int i = blockIdx.x * 128 + threadIdx.x;
    re[i] = opposite(scratch, re[i]);
    im[i] = opposite(scratch, im[i]);
}

// After: each part has its own.
//~ race-free
__global__ void pair_complex_flip_ok(float *re, float *im)
{
    extern __shared__ float scratch[];
    int i = blockIdx.x * 128 + threadIdx.x;
    re[i] = opposite(scratch, re[i]);
    im[i] = opposite(scratch + 128, im[i]);
}

template <int STRIDE>
__device__ int neighbour(int v)
{
    extern __shared__ int lane_box[];
    lane_box[threadIdx.x] = v; //~ here
    __syncthreads();
    return lane_box[(threadIdx.x + STRIDE) % 128]; //~ here
}

// [reuse] Two instances of a template, but the dynamic memory is one.
//~ race
__global__ void pair_template_scratch_bad(int *g)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int a = neighbour<1>(g[i]);
    int b = neighbour<2>(g[i]);
    g[i] = a - b;
}

// After: a barrier between the two.
//~ race-free
__global__ void pair_template_scratch_ok(int *g)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int a = neighbour<1>(g[i]);
    __syncthreads();
    int b = neighbour<2>(g[i]);
    g[i] = a - b;
}

// [reuse] The counter of the helper is set back for the next use before all have read it.
//~ race
__global__ void pair_count_reset_bad(const int *g, int *out)
{
    __shared__ int count;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0) count = 0;
    __syncthreads();
    if (g[i] > 0) atomicAdd(&count, 1);
    __syncthreads();
    int positive = count; //~ here
    if (t == 0) count = 0; //~ here
    __syncthreads();
    if (g[i] < 0) atomicAdd(&count, 1);
    __syncthreads();
    out[i] = positive - count;
}

// After: a barrier in front of the reset.
//~ race-free
__global__ void pair_count_reset_ok(const int *g, int *out)
{
    __shared__ int count;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0) count = 0;
    __syncthreads();
    if (g[i] > 0) atomicAdd(&count, 1);
    __syncthreads();
    int positive = count;
    __syncthreads();
    if (t == 0) count = 0;
    __syncthreads();
    if (g[i] < 0) atomicAdd(&count, 1);
    __syncthreads();
    out[i] = positive - count;
}
