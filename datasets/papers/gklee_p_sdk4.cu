// After Li et al. (GKLEE_p, SC 2012), the kernels of the second table: those of the CUDA SDK 4.0, written anew. No launch is
// stated: they are checked at thread counts of the table and for arbitrary ones.

//~ race-free
__global__ void sdk4_vector_add_ok(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

//~ race-free
__global__ void sdk4_black_scholes_ok(const float *price, float *call, float *put, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        call[i] = price[i] * 0.5f;
        put[i] = 1.0f - price[i];
    }
}

//~ race-free
__global__ void sdk4_random_ok(const unsigned *seed, unsigned *out, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = seed[i];
    for (int r = 0; r < rounds; r++) {
        state = state * 1664525u + 1013904223u;
        out[r * gridDim.x * blockDim.x + i] = state;
    }
}

//~ race-free
__global__ void sdk4_histogram256_ok(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned local[256];
    int t = threadIdx.x;
    for (int k = t; k < 256; k += blockDim.x) local[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int k = t; k < 256; k += blockDim.x) atomicAdd(&bins[k], local[k]);
}

//~ race-free
__global__ void sdk4_walsh_ok(float *data)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float s[];
    int t = threadIdx.x, n = 2 * blockDim.x;
    data += blockIdx.x * n;
    s[t] = data[t];
    s[t + blockDim.x] = data[t + blockDim.x];
    for (int stride = blockDim.x; stride > 0; stride >>= 1) {
        __syncthreads();
        int low = t & (stride - 1), a = 2 * t - low, b = a + stride;
        float x = s[a], y = s[b];
        s[a] = x + y;
        s[b] = x - y;
    }
    __syncthreads();
    data[t] = s[t];
    data[t + blockDim.x] = s[t + blockDim.x];
}

//~ race-free
__global__ void sdk4_dct8x8_ok(const float *image, const float *cosine, float *out, int pitch)
{
    __requires(blockDim.x == 8);
    __requires(blockDim.y == 8);
    __requires(pitch == 8 * (int)gridDim.x);
    __requires(gridDim.x <= 4096);
    __requires(gridDim.y <= 4096);
    __shared__ float a[8][8], b[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    a[y][x] = image[(blockIdx.y * 8 + y) * pitch + blockIdx.x * 8 + x];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += cosine[y * 8 + k] * a[k][x];
    b[y][x] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += b[y][k] * cosine[x * 8 + k];
    out[(blockIdx.y * 8 + y) * pitch + blockIdx.x * 8 + x] = sum;
}

//~ race-free
__global__ void sdk4_odd_even_sort_ok(int *values, int n)
{
    extern __shared__ int key[];
    int t = threadIdx.x;
    values += blockIdx.x * blockDim.x * 2;
    key[2 * t] = values[2 * t];
    key[2 * t + 1] = values[2 * t + 1];
    __syncthreads();
    for (int phase = 0; phase < n; phase++) {
        int i = 2 * t + (phase & 1);
        if (i + 1 < 2 * (int)blockDim.x) {
            int a = key[i], b = key[i + 1];
            if (a > b) {
                key[i] = b;
                key[i + 1] = a;
            }
        }
        __syncthreads();
    }
    values[2 * t] = key[2 * t];
    values[2 * t + 1] = key[2 * t + 1];
}

//~ race-free
__global__ void sdk4_scan_short_ok(const int *in, int *out)
{
    extern __shared__ int s[];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = 0;
    s[t + n] = in[blockIdx.x * blockDim.x + t];
    for (int d = 1; d < n; d *= 2) {
        __syncthreads();
        int sum = s[t + n] + s[t + n - d];
        __syncthreads();
        s[t + n] = sum;
    }
    out[blockIdx.x * blockDim.x + t] = s[t + n];
}

//~ race-free
__global__ void sdk4_transpose_diagonal_ok(const float *in, float *out, int n)
{
    __requires(blockDim.x == 16);
    __requires(blockDim.y == 16);
    __requires(n == 16 * (int)gridDim.x);
    __requires(gridDim.x <= 2048);
    __requires(gridDim.x == gridDim.y);
    __shared__ float tile[16][17];
    int by = blockIdx.x, bx = (blockIdx.x + blockIdx.y) % gridDim.x;
    tile[threadIdx.y][threadIdx.x] = in[(by * 16 + threadIdx.y) * n + bx * 16 + threadIdx.x];
    __syncthreads();
    out[(bx * 16 + threadIdx.y) * n + by * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

//~ race-free
__global__ void sdk4_fdtd_ok(const float *in, float *out, int width, int height)
{
    __requires(blockDim.x == 32);
    __requires(blockDim.y == 8);
    __shared__ float tile[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    tile[threadIdx.y + 1][threadIdx.x + 1] = x < width && y < height ? in[y * width + x] : 0.0f;
    if (threadIdx.x == 0) tile[threadIdx.y + 1][0] = x > 0 && y < height ? in[y * width + x - 1] : 0.0f;
    if (threadIdx.x == 31) tile[threadIdx.y + 1][33] = x + 1 < width && y < height ? in[y * width + x + 1] : 0.0f;
    if (threadIdx.y == 0) tile[0][threadIdx.x + 1] = y > 0 && x < width ? in[(y - 1) * width + x] : 0.0f;
    if (threadIdx.y == 7) tile[9][threadIdx.x + 1] = y + 1 < height && x < width ? in[(y + 1) * width + x] : 0.0f;
    __syncthreads();
    if (x < width && y < height)
        out[y * width + x] = tile[threadIdx.y][threadIdx.x + 1] + tile[threadIdx.y + 2][threadIdx.x + 1]
            + tile[threadIdx.y + 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x + 2];
}

//~ race-free
__global__ void sdk4_nbody_ok(const float *position, float *force, int n)
{
    extern __shared__ float body[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float mine = i < n ? position[i] : 0.0f, sum = 0.0f;
    for (int base = 0; base < n; base += blockDim.x) {
        body[t] = base + t < n ? position[base + t] : 0.0f;
        __syncthreads();
        for (int k = 0; k < (int)blockDim.x; k++) sum += body[k] - mine;
        __syncthreads();
    }
    if (i < n) force[i] = sum;
}

//~ race-free
__global__ void sdk4_binomial_ok(const float *start, float *out, int steps)
{
    extern __shared__ float value[];
    int t = threadIdx.x;
    value[t] = start[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        float next = value[t];
        if (t + 1 < (int)blockDim.x) next = 0.5f * (value[t] + value[t + 1]);
        __syncthreads();
        value[t] = next;
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = value[0];
}
