// After Li et al. (GKLEE_p, SC 2012), the kernels of the first table: those of the CUDA SDK 2.0, written anew. No launch is
// stated: they are checked at thread counts of the table and for arbitrary ones.

//~ race-free
__global__ void sdk2_bitonic_ok(int *values)
{
    extern __shared__ int key[];
    unsigned t = threadIdx.x;
    values += blockIdx.x * blockDim.x;
    key[t] = values[t];
    __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k *= 2) {
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned other = t ^ j;
            if (other > t && other < blockDim.x) {
                int a = key[t], b = key[other];
                if ((t & k) == 0 ? a > b : a < b) {
                    key[t] = b;
                    key[other] = a;
                }
            }
            __syncthreads();
        }
    }
    values[t] = key[t];
}

//~ race-free
__global__ void sdk2_scalar_product_ok(const float *a, const float *b, float *c, int vectors, int length)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float part[];
    int t = threadIdx.x;
    for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
        float sum = 0.0f;
        for (int i = t; i < length; i += blockDim.x) sum += a[v * length + i] * b[v * length + i];
        part[t] = sum;
        for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
            __syncthreads();
            if (t < stride) part[t] += part[t + stride];
        }
        if (t == 0) c[v] = part[0];
        __syncthreads();
    }
}

//~ race-free
__global__ void sdk2_matrix_multiply_ok(const float *a, const float *b, float *c, int tiles)
{
    __requires(blockDim.x == 16);
    __requires(blockDim.y == 16);
    __shared__ float sa[16][16], sb[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; k++) {
        sa[y][x] = a[row * tiles * 16 + k * 16 + x];
        sb[y][x] = b[(k * 16 + y) * gridDim.x * 16 + column];
        __syncthreads();
        for (int j = 0; j < 16; j++) sum += sa[y][j] * sb[j][x];
        __syncthreads();
    }
    c[row * (gridDim.x * 16) + column] = sum;
}

//~ race-free
__global__ void sdk2_histogram64_ok(const unsigned char *data, unsigned *partial, int n)
{
    __requires(blockDim.x % 64 == 0);
    extern __shared__ unsigned char count[];
    int t = threadIdx.x;
    for (int bin = 0; bin < 64; bin++) count[bin * blockDim.x + t] = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) {
        count[(data[i] >> 2) * blockDim.x + t]++;
    }
    __syncthreads();
    if (t < 64) {
        unsigned sum = 0;
        for (int i = 0; i < blockDim.x; i++) sum += count[t * blockDim.x + i];
        partial[blockIdx.x * 64 + t] = sum;
    }
}

//~ race-free
__global__ void sdk2_reduce0_ok(const int *in, int *out)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0 && t + d < blockDim.x) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

//~ race-free
__global__ void sdk2_reduce1_ok(const int *in, int *out)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        unsigned i = 2 * d * t;
        if (i + d < blockDim.x) s[i] += s[i + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

//~ race-free
__global__ void sdk2_reduce2_ok(const int *in, int *out)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

//~ race-free
__global__ void sdk2_reduce3_ok(const int *in, int *out)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    s[t] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// The last warp on its own, with the barriers that Volta asks for.
//~ race-free
__global__ void sdk2_reduce4_ok(const int *in, int *out)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    s[t] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 16; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t < 32) {
        for (unsigned d = 16; d > 0; d /= 2) {
            if (t < d && t + d < blockDim.x) s[t] += s[t + d];
            __syncwarp();
        }
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// The same without: what the SDK relied on is a race since Volta.
//~ race
__global__ void sdk2_reduce4_bad(const int *in, int *out)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    s[t] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 16; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t < 32) {
        for (unsigned d = 16; d > 0; d /= 2) {
            if (t < d && t + d < blockDim.x) s[t] += s[t + d]; //~ here
        }
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// Unrolled by the block's size.
//~ race-free
__global__ void sdk2_reduce5_ok(const int *in, int *out)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    s[t] = in[i] + in[i + blockDim.x];
    __syncthreads();
    if (blockDim.x >= 512) {
        if (t < 256) s[t] += s[t + 256];
        __syncthreads();
    }
    if (blockDim.x >= 256) {
        if (t < 128) s[t] += s[t + 128];
        __syncthreads();
    }
    if (blockDim.x >= 128) {
        if (t < 64) s[t] += s[t + 64];
        __syncthreads();
    }
    if (blockDim.x >= 64) {
        if (t < 32) s[t] += s[t + 32];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

//~ race-free
__global__ void sdk2_reduce6_ok(const int *in, int *out, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) sum += in[i];
    s[t] = sum;
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

//~ race-free
__global__ void sdk2_scan_naive_ok(const int *in, int *out)
{
    extern __shared__ int both[];
    int t = threadIdx.x, n = blockDim.x, to = 0, from = 1;
    both[t] = t > 0 ? in[blockIdx.x * blockDim.x + t - 1] : 0;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        to = 1 - to;
        from = 1 - to;
        int own = both[from * n + t];
        both[to * n + t] = t >= d ? own + both[from * n + t - d] : own;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = both[to * n + t];
}

//~ race-free
__global__ void sdk2_transpose_naive_ok(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

//~ race-free
__global__ void sdk2_transpose_coalesced_ok(const float *in, float *out, int width, int height)
{
    __requires(blockDim.x == 16);
    __requires(blockDim.y == 16);
    __shared__ float block[16][16];
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (column < width && row < height) block[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    column = blockIdx.y * 16 + threadIdx.x;
    row = blockIdx.x * 16 + threadIdx.y;
    if (column < height && row < width) out[row * height + column] = block[threadIdx.x][threadIdx.y];
}

//~ race-free
__global__ void sdk2_transpose_ok(const float *in, float *out, int width, int height)
{
    __requires(blockDim.x == 16);
    __requires(blockDim.y == 16);
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

//~ race-free
__global__ void sdk2_convolution_ok(const float *in, const float *weight, float *out, int n)
{
    extern __shared__ float row[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    row[t + 8] = i < n ? in[i] : 0.0f;
    if (t < 8) row[t] = i >= 8 ? in[i - 8] : 0.0f;
    if (t < 8) row[t + 8 + blockDim.x] = i + (int)blockDim.x < n ? in[i + blockDim.x] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int k = -8; k <= 8; k++) sum += row[t + 8 + k] * weight[8 + k];
    if (i < n) out[i] = sum;
}

// For a block of 256; for any power of two it is beyond the default budget.
//~ race-free
__global__ void sdk2_scan_work_efficient_ok(const int *in, int *out)
{
    __requires(blockDim.x == 256);
    __shared__ int s[512];
    int t = threadIdx.x, offset = 1;
    s[2 * t] = in[blockIdx.x * 512 + 2 * t];
    s[2 * t + 1] = in[blockIdx.x * 512 + 2 * t + 1];
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1, v = s[low];
            s[low] = s[high];
            s[high] += v;
        }
    }
    __syncthreads();
    out[blockIdx.x * 512 + 2 * t] = s[2 * t];
    out[blockIdx.x * 512 + 2 * t + 1] = s[2 * t + 1];
}

#define PAD(i) ((i) + ((i) >> 4))

//~ race-free
__global__ void sdk2_scan_best_ok(const int *in, int *out)
{
    __requires(blockDim.x == 128);
    __shared__ int s[PAD(256) + 1];
    int t = threadIdx.x, offset = 1;
    s[PAD(t)] = in[blockIdx.x * 256 + t];
    s[PAD(t + 128)] = in[blockIdx.x * 256 + t + 128];
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1;
            s[PAD(high)] += s[PAD(low)];
        }
        offset *= 2;
    }
    if (t == 0) s[PAD(255)] = 0;
    for (int d = 1; d < 256; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1, v = s[PAD(low)];
            s[PAD(low)] = s[PAD(high)];
            s[PAD(high)] += v;
        }
    }
    __syncthreads();
    out[blockIdx.x * 256 + t] = s[PAD(t)];
    out[blockIdx.x * 256 + t + 128] = s[PAD(t + 128)];
}
