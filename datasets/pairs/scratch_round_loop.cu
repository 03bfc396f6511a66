//--blockDim=128 --gridDim=3
// Pairs before and after a fix: shared scratch is used again in the next round of a loop

// [carried] The sums of the warps are read by thread 0 while fast warps store those of the next row.
//~ race
__global__ void pair_row_sums_bad(const float *g, float *out, int rows)
{
    __shared__ float warp_sum[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float x = g[row * 128 + t];
        for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
        if (lane == 0) warp_sum[warp] = x; //~ here
        __syncthreads();
        if (t == 0) out[row] = warp_sum[0] + warp_sum[1] + warp_sum[2] + warp_sum[3]; //~ here
    }
}

// After: a barrier at the end of each row.
//~ race-free
__global__ void pair_row_sums_ok(const float *g, float *out, int rows)
{
    __shared__ float warp_sum[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float x = g[row * 128 + t];
        for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
        if (lane == 0) warp_sum[warp] = x;
        __syncthreads();
        if (t == 0) out[row] = warp_sum[0] + warp_sum[1] + warp_sum[2] + warp_sum[3];
        __syncthreads();
    }
}

// [carried] Thread 0 puts the next pivot where the others still read the last one.
//~ race
__global__ void pair_pivot_bad(const float *pivots, float *m, int n)
{
    __shared__ float pivot;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    for (int k = 0; k < n; k++) {
        if (t == 0) pivot = pivots[k]; //~ here
        __syncthreads();
        m[i] = m[i] / pivot; //~ here
    }
}

// After: nobody goes on before all have read.
//~ race-free
__global__ void pair_pivot_ok(const float *pivots, float *m, int n)
{
    __shared__ float pivot;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    for (int k = 0; k < n; k++) {
        if (t == 0) pivot = pivots[k];
        __syncthreads();
        m[i] = m[i] / pivot;
        __syncthreads();
    }
}

// [carried] A tile of the vector is replaced while slow threads still multiply with it.
//~ race
__global__ void pair_vector_tile_bad(const float *m, const float *v, float *out, int n)
{
    __shared__ float tile[128];
    int t = threadIdx.x, row = blockIdx.x * 128 + t;
    float sum = 0.0f;
    for (int base = 0; base < n; base += 128) {
        tile[t] = base + t < n ? v[base + t] : 0.0f; //~ here
        __syncthreads();
        for (int k = 0; k < 128 && base + k < n; k++) sum += m[row * n + base + k] * tile[k]; //~ here
    }
    out[row] = sum;
}

// After: the second barrier of a tile.
//~ race-free
__global__ void pair_vector_tile_ok(const float *m, const float *v, float *out, int n)
{
    __shared__ float tile[128];
    int t = threadIdx.x, row = blockIdx.x * 128 + t;
    float sum = 0.0f;
    for (int base = 0; base < n; base += 128) {
        tile[t] = base + t < n ? v[base + t] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 128 && base + k < n; k++) sum += m[row * n + base + k] * tile[k];
        __syncthreads();
    }
    out[row] = sum;
}

// [carried] The counters are cleared for the next image while others still copy those of the last one.
//~ race
__global__ void pair_bins_bad(const unsigned char *g, int *out, int images)
{
    __shared__ int bins[128];
    int t = threadIdx.x;
    for (int image = blockIdx.x; image < images; image += gridDim.x) {
        bins[t] = 0; //~ here
        __syncthreads();
        for (int k = t; k < 1024; k += 128) atomicAdd(&bins[g[image * 1024 + k] % 128], 1);
        __syncthreads();
        out[image * 128 + t] = bins[127 - t]; //~ here
    }
}

// After: the clearing waits for the copies.
//~ race-free
__global__ void pair_bins_ok(const unsigned char *g, int *out, int images)
{
    __shared__ int bins[128];
    int t = threadIdx.x;
    for (int image = blockIdx.x; image < images; image += gridDim.x) {
        __syncthreads();
        bins[t] = 0;
        __syncthreads();
        for (int k = t; k < 1024; k += 128) atomicAdd(&bins[g[image * 1024 + k] % 128], 1);
        __syncthreads();
        out[image * 128 + t] = bins[127 - t];
    }
}

// [carried] The index of the work is drawn by thread 0 for all; the next draw overwrites it too early.
//~ race
__global__ void pair_work_queue_bad(int *next, int *out, int items)
{
    __shared__ int item;
    int t = threadIdx.x, done = 0;
    while (true) {
        if (t == 0) item = atomicAdd(next, 1); //~ here
        __syncthreads();
        if (item >= items) break; //~ here
        done += item; //~ here
    }
    out[blockIdx.x * 128 + t] = done;
}

// After: a copy of its own for each thread, and a barrier behind it.
//~ race-free
__global__ void pair_work_queue_ok(int *next, int *out, int items)
{
    __shared__ int item;
    int t = threadIdx.x, done = 0;
    while (true) {
        if (t == 0) item = atomicAdd(next, 1);
        __syncthreads();
        int mine = item;
        __syncthreads();
        if (mine >= items) break;
        done += mine;
    }
    out[blockIdx.x * 128 + t] = done;
}

// [carried] Maximum and sum of a row take turns in one array, with a barrier missing at the turn.
//~ race
__global__ void pair_softmax_bad(const float *g, float *out)
{
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float x = g[i];
    s[t] = x;
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    float y = expf(x - s[0]); //~ here
    s[t] = y; //~ here
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    out[i] = y / s[0];
}

// After: all have read the maximum before the sum begins.
//~ race-free
__global__ void pair_softmax_ok(const float *g, float *out)
{
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float x = g[i];
    s[t] = x;
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    float y = expf(x - s[0]);
    __syncthreads();
    s[t] = y;
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    out[i] = y / s[0];
}

// [carried] Two buffers, but both steps of a round store into the same one.
//~ race
__global__ void pair_two_buffers_bad(const float *g, float *out, int steps)
{
    __shared__ float a[128];
    __shared__ float b[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    a[t] = g[i];
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        b[t] = a[t] + a[(t + 1) % 128]; //~ here
        a[t] = b[t] * 0.5f; //~ here
        __syncthreads();
    }
    out[i] = a[t];
}

// After: a barrier between the two stores.
//~ race-free
__global__ void pair_two_buffers_ok(const float *g, float *out, int steps)
{
    __shared__ float a[128];
    __shared__ float b[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    a[t] = g[i];
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        b[t] = a[t] + a[(t + 1) % 128];
        __syncthreads();
        a[t] = b[t] * 0.5f;
        __syncthreads();
    }
    out[i] = a[t];
}

// [carried] The carry of a scan over chunks is stored by the last thread while others still add it.
//~ race
__global__ void pair_scan_carry_bad(const int *g, int *out, int chunks)
{
    __shared__ int carry;
    int t = threadIdx.x;
    if (t == 0) carry = 0;
    __syncthreads();
    for (int c = 0; c < chunks; c++) {
        int i = c * 384 + blockIdx.x * 128 + t;
        int before = carry; //~ here
        out[i] = g[i] + before;
        if (t == 127) carry = before + g[i]; //~ here
        __syncthreads();
    }
}

// After: the carry is read by all before it changes.
//~ race-free
__global__ void pair_scan_carry_ok(const int *g, int *out, int chunks)
{
    __shared__ int carry;
    int t = threadIdx.x;
    if (t == 0) carry = 0;
    __syncthreads();
    for (int c = 0; c < chunks; c++) {
        int i = c * 384 + blockIdx.x * 128 + t;
        int before = carry;
        out[i] = g[i] + before;
        __syncthreads();
        if (t == 127) carry = before + g[i];
        __syncthreads();
    }
}
