//--blockDim=[16,16]
// Products of matrices of any size, edges guarded.
//= equal product_plain_ok product_tiled_ok product_tiled_flat_ok product_tiled_clamped_ok
//= equal product_plain_ok product_commuted_ok product_from_pointer_ok
//= different product_plain_ok product_short_ok product_tiled_whole_ok product_transposed_ok product_identity_ok product_tiled_edge_ok product_tiled_wrong_ok
//= different product_tiled_ok product_short_ok product_tiled_whole_ok product_transposed_ok product_identity_ok product_tiled_edge_ok product_tiled_wrong_ok
#define T 16

// The specification.
//~ race-free
__global__ void product_plain_ok(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * T + threadIdx.y;
    int column = blockIdx.x * T + threadIdx.x;
    if (row < n && column < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}

// By tiles.
//~ race-free
__global__ void product_tiled_ok(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[T][T], right[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int m = 0; m < (n + T - 1) / T; m++) {
        left[y][x] = row < n && m * T + x < n ? a[row * n + m * T + x] : 0.0f;
        right[y][x] = column < n && m * T + y < n ? b[(m * T + y) * n + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

// By tiles that are counted by their first column.
//~ race-free
__global__ void product_tiled_flat_ok(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[T * T], right[T * T];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int m = 0; m < n; m += T) {
        left[y * T + x] = 0.0f;
        right[y * T + x] = 0.0f;
        if (row < n && m + x < n)
            left[y * T + x] = a[row * n + (m + x)];
        if (column < n && m + y < n)
            right[y * T + x] = b[(m + y) * n + column];
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += left[y * T + k] * right[k * T + x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

// By tiles of which the last is shorter.
//~ race-free
__global__ void product_tiled_clamped_ok(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[T][T + 1], right[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int m = 0; m < (n + T - 1) / T; m++) {
        float one = 0.0f, other = 0.0f;
        if (row < n && m * T + x < n)
            one = a[row * n + m * T + x];
        if (column < n && m * T + y < n)
            other = b[(m * T + y) * n + column];
        left[y][x] = one;
        right[y][x] = other;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < T; ++k)
            sum = sum + left[y][k] * right[k][x];
        __syncthreads();
    }
    if (column < n && row < n)
        c[column + n * row] = sum;
}

// Factors the other way round.
//~ race-free
__global__ void product_commuted_ok(float *c, const float *a, const float *b, int n)
{
    int row = threadIdx.y + T * blockIdx.y;
    int column = threadIdx.x + T * blockIdx.x;
    if (column >= n || row >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
        sum = b[n * k + column] * a[k + n * row] + sum;
    c[n * row + column] = sum;
}

// Pointers that move.
//~ race-free
__global__ void product_from_pointer_ok(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * T + threadIdx.y;
    int column = blockIdx.x * T + threadIdx.x;
    if (row < n && column < n) {
        const float *p = a + row * n;
        const float *q = b + column;
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            sum += *p * *q;
            p++;
            q += n;
        }
        c[row * n + column] = sum;
    }
}

// The last product is left out.
//~ race-free
__global__ void product_short_ok(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * T + threadIdx.y;
    int column = blockIdx.x * T + threadIdx.x;
    if (row < n && column < n) {
        float sum = 0.0f;
        for (int k = 0; k < n - 1; k++)
            sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}

// Whole tiles only.
//~ race-free
__global__ void product_tiled_whole_ok(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[T][T], right[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int m = 0; m < n / T; m++) {
        left[y][x] = row < n ? a[row * n + m * T + x] : 0.0f;
        right[y][x] = column < n ? b[(m * T + y) * n + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

// The second factor is taken by rows.
//~ race-free
__global__ void product_transposed_ok(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * T + threadIdx.y;
    int column = blockIdx.x * T + threadIdx.x;
    if (row < n && column < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[column * n + k];
        c[row * n + column] = sum;
    }
}

// The sum starts at one.
//~ race-free
__global__ void product_identity_ok(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * T + threadIdx.y;
    int column = blockIdx.x * T + threadIdx.x;
    if (row < n && column < n) {
        float sum = 1.0f;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}

// What lies behind the edge is taken for one.
//~ race-free
__global__ void product_tiled_edge_ok(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[T][T], right[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int m = 0; m < (n + T - 1) / T; m++) {
        left[y][x] = row < n && m * T + x < n ? a[row * n + m * T + x] : 1.0f;
        right[y][x] = column < n && m * T + y < n ? b[(m * T + y) * n + column] : 1.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

// The tile of the second factor is read turned.
//~ race-free
__global__ void product_tiled_wrong_ok(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[T][T], right[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int m = 0; m < (n + T - 1) / T; m++) {
        left[y][x] = row < n && m * T + x < n ? a[row * n + m * T + x] : 0.0f;
        right[y][x] = column < n && m * T + y < n ? b[(m * T + y) * n + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += left[y][k] * right[x][k];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
