// Construct: indices taken apart into three digits, put together in another order; multiples of block indices; sizes of 64 bits

//~ race-free
__global__ void permute_axes_ok(int *out, int w, int h, int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (w > 0 && h > 0 && i < w * h * d) {
        int x = i % w;
        int y = i / w % h;
        int z = i / (w * h);
        out[(z * w + x) * h + y] = i;
    }
}

// [index] The strides are those of the old order.
//~ race
__global__ void permute_axes_bad(int *out, int w, int h, int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (w > 0 && h > 0 && i < w * h * d) {
        int x = i % w;
        int y = i / w % h;
        int z = i / (w * h);
        out[(z * w + y) * h + x] = i; //~ here
    }
}

//~ race-free
__global__ void heads_first_ok(int *out, int batch, int time, int heads, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channels = heads * size;
    if (heads > 0 && size > 0 && time > 0 && i < batch * time * channels) {
        int b = i / (channels * time);
        int rest = i % (channels * time);
        int head = rest / (time * size);
        rest = rest % (time * size);
        int t = rest / size;
        int k = rest % size;
        out[b * time * channels + t * channels + head * size + k] = i;
    }
}

// [index] The head is forgotten.
//~ race
__global__ void heads_first_bad(int *out, int batch, int time, int heads, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channels = heads * size;
    if (heads > 0 && size > 0 && time > 0 && i < batch * time * channels) {
        int b = i / (channels * time);
        int rest = i % (channels * time);
        rest = rest % (time * size);
        int t = rest / size;
        int k = rest % size;
        out[b * time * channels + t * channels + k] = i; //~ here
    }
}

// The digits are computed from what is left each time.
//~ race-free
__global__ void left_over_ok(int *out, int n, int m, int batch)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < batch * n * m; i += blockDim.x * gridDim.x) {
        int k = i % m;
        int j = (i - k) / m % n;
        int b = (i - m * j - k) / (n * m);
        out[n * m * b + m * j + k] = i;
    }
}

// [index] One of the digits is not taken away.
//~ race
__global__ void left_over_bad(int *out, int n, int m, int batch)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < batch * n * m; i += blockDim.x * gridDim.x) {
        int k = i % m;
        int j = (i - k) / m % n;
        int b = (i - k) / (n * m);
        out[n * b + m * j + k] = i; //~ here
    }
}

// A part of a row for each block, the rows of a plane in one axis of the grid.
//~ race-free
__global__ void rows_of_planes_ok(int *y, int h, int w, int across, int planes)
{
    int n = blockIdx.x, m = blockIdx.y;
    int row = blockIdx.z / across, column = blockIdx.z % across * blockDim.x + threadIdx.x;
    if (m < planes && row < h && column < w)
        y[n * planes * h * w + m * h * w + row * w + column] = blockIdx.z;
}

// [guard] Columns beyond the last are those of the next row.
//~ race
__global__ void rows_of_planes_bad(int *y, int h, int w, int across, int planes)
{
    int n = blockIdx.x, m = blockIdx.y;
    int row = blockIdx.z / across, column = blockIdx.z % across * blockDim.x + threadIdx.x;
    if (m < planes && row < h && w > 0)
        y[n * planes * h * w + m * h * w + row * w + column] = blockIdx.z; //~ here
}

// [index] The third block's product is 2 to the power of 32, which is 0.
//~ race
__global__ void far_blocks_bad(unsigned int *out)
{
    out[blockIdx.x << 31] = blockIdx.x; //~ here
}

//~ race-free
__global__ void far_blocks_ok(unsigned int *out)
{
    out[(unsigned long long)blockIdx.x << 31] = blockIdx.x;
}

// [index] Global ids times 65536 wrap in a launch of 65536 threads.
//~ race
__global__ void far_threads_bad(unsigned int *out)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i * 65536u] = i; //~ here
}

//~ race-free
__global__ void far_threads_ok(unsigned int *out)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i * 64u] = i;
}

//~ race-free
__global__ void two_halves_ok(float *a, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x) {
        a[i] += 1.0f;
        a[i + n] += 2.0f;
    }
}

// [index] The second half begins one element too early.
//~ race
__global__ void two_halves_bad(float *a, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x) {
        a[i] = 1.0f; //~ here
        a[i + n / 2] = 2.0f; //~ here
    }
}

// Quotients by one size after the other, in another order than the digits; quotients of remainders.
//~ race-free
__global__ void cut_twice_ok(int *out, int m, int split, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m * split * n) return;
    out[i / split / n * (split * n) + i / n % split * n + i % n] = i;
}

// [index] The middle digit is that of another size.
//~ race
__global__ void cut_twice_bad(int *out, int m, int split, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m * split * n) return;
    out[i / split / n * (split * n) + i / n % n * n + i % n] = i; //~ here
}

//~ race-free
__global__ void cut_remainder_ok(int *out, int h, int w, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int image = i / (h * w), row = i % (h * w) / w, column = i % w;
        out[image * (h * w) + row * w + column] = i;
    }
}

// [index] The column is one of another width: that of a row of h.
//~ race
__global__ void cut_remainder_bad(int *out, int h, int w, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int image = i / (h * w), row = i % (h * w) / w, column = i % h;
        out[image * (h * w) + row * w + column] = i; //~ here
    }
}

// [sign] Masks round down, quotients towards 0: -3 and 5 meet.
//~ race
__global__ void cut_negative_bad(int *out)
{
    int i = (int)threadIdx.x - 4;
    out[8 + i / 8 * 8 + (i & 7)] = threadIdx.x; //~ here
}

// Shifts round down as well.
//~ race-free
__global__ void cut_negative_ok(int *out)
{
    int i = (int)threadIdx.x - 4;
    out[8 + (i >> 3) * 8 + (i & 7)] = threadIdx.x;
}

// A thread's number does not wrap, as is assumed, so rows that are cut and put together again meet nowhere.
//~ race-free
__global__ void cut_unsigned_ok(int *g)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    g[(i / 6) * 6 + (i / 2) % 3 * 2 + i % 2] = threadIdx.x;
}

// [index] Three rows of two are five long here.
//~ race
__global__ void cut_unsigned_bad(int *g)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    g[(i / 6) * 5 + (i / 2) % 3 * 2 + i % 2] = threadIdx.x; //~ here
}
