// What kernels leave in a matrix of any size. Every comment at a kernel holds; what fails stands here.
//= fails plain_transpose_ok for i, j: i < width && j < height => out[j * width + i] == old(in[i * height + j])
//= fails plain_transpose_ok for i, j: i < width && j <= height => out[i * height + j] == old(in[j * width + i])
//= fails tile_transpose_ok for i, j: i < width && j < height => out[i * height + j] == old(in[i * width + j])
//= fails rows_ok for r: r < h => out[r] == sum(c in 0..w - 1: old(in[r * w + c]))
//= fails rows_ok for r: r < h => out[r] == sum(c in 0..w: old(in[c * h + r]))
//= fails product_ok for r, c: r < n && c < n => C[r * n + c] == sum(k in 0..n: old(A[r * n + k]) * old(B[c * n + k]))
//= fails bordered_ok for r, c: r < h && c < w => out[r * w + c] == old(in[r * w + c])
//= fails diagonal_ok for i: i < n => a[i * n + i] == 0

// One thread an element.
// warplog: launch block=16,16 grid=(width+15)/16,(height+15)/16
// warplog: ensures for i, j: i < width && j < height => out[i * height + j] == old(in[j * width + i])
//~ race-free
__global__ void plain_transpose_ok(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

// By a tile in shared memory.
// warplog: launch block=16,16 grid=(width+15)/16,(height+15)/16
// warplog: ensures for i, j: i < width && j < height => out[i * height + j] == old(in[j * width + i])
//~ race-free
__global__ void tile_transpose_ok(float *out, const float *in, int width, int height)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.y * 16 + threadIdx.x;
    int v = blockIdx.x * 16 + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = tile[threadIdx.x][threadIdx.y];
}

// The sum of each row, from the left.
// warplog: launch block=64 grid=(h+63)/64
// warplog: ensures for r: r < h => out[r] == sum(c in 0..w: old(in[r * w + c]))
//~ race-free
__global__ void rows_ok(float *out, const float *in, int w, int h)
{
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r < h) {
        float s = 0.0f;
        for (int c = 0; c < w; c++)
            s += in[r * w + c];
        out[r] = s;
    }
}

// A product, one thread an element.
// warplog: launch block=16,16 grid=(n+15)/16,(n+15)/16
// warplog: ensures for r, c: r < n && c < n => C[r * n + c] == sum(k in 0..n: old(A[r * n + k]) * old(B[k * n + c]))
//~ race-free
__global__ void product_ok(float *C, const float *A, const float *B, int n)
{
    int c = blockIdx.x * 16 + threadIdx.x;
    int r = blockIdx.y * 16 + threadIdx.y;
    if (r < n && c < n) {
        float s = 0.0f;
        for (int k = 0; k < n; k++)
            s += A[r * n + k] * B[k * n + c];
        C[r * n + c] = s;
    }
}

// The border is zero, the inside is copied.
// warplog: launch block=16,16 grid=(w+15)/16,(h+15)/16
// warplog: ensures for r, c: 0 < r && r < h - 1 && 0 < c && c < w - 1 => out[r * w + c] == old(in[r * w + c])
// warplog: ensures for c: c < w && h > 0 => out[c] == 0.0f
//~ race-free
__global__ void bordered_ok(float *out, const float *in, int w, int h)
{
    int c = blockIdx.x * 16 + threadIdx.x;
    int r = blockIdx.y * 16 + threadIdx.y;
    if (r < h && c < w) {
        bool inside = r > 0 && r < h - 1 && c > 0 && c < w - 1;
        out[r * w + c] = inside ? in[r * w + c] : 0.0f;
    }
}

// Only the diagonal is written.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n => a[i * n + i] == 1.0f
//~ race-free
__global__ void diagonal_ok(float *a, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        a[i * n + i] = 1.0f;
}
