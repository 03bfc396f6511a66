//--blockDim=[16,16]
// Transposes of a matrix of any size: one thread an element, and by a tile in shared memory.
//= equal transpose_plain_ok transpose_tile_ok transpose_padded_ok transpose_swapped_tile_ok transpose_diagonal_ok
//= different transpose_plain_ok transpose_stride_ok transpose_index_ok transpose_guard_ok transpose_edge_ok transpose_not_ok transpose_corner_ok
//= different transpose_padded_ok transpose_stride_ok transpose_index_ok transpose_guard_ok transpose_edge_ok transpose_not_ok transpose_corner_ok
#define T 16

// The specification.
//~ race-free
__global__ void transpose_plain_ok(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

// Rows are read and written by neighbours.
//~ race-free
__global__ void transpose_tile_ok(float *out, const float *in, int width, int height)
{
    __shared__ float tile[T][T];
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.y * T + threadIdx.x;
    int v = blockIdx.x * T + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = tile[threadIdx.x][threadIdx.y];
}

// The same with rows that are one longer.
//~ race-free
__global__ void transpose_padded_ok(float *out, const float *in, int width, int height)
{
    __shared__ float tile[T][T + 1];
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.y * T + threadIdx.x;
    int v = blockIdx.x * T + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = tile[threadIdx.x][threadIdx.y];
}

// The tile is turned as it is filled.
//~ race-free
__global__ void transpose_swapped_tile_ok(float *out, const float *in, int width, int height)
{
    __shared__ float tile[T * T];
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (y < height && x < width)
        tile[threadIdx.x * T + threadIdx.y] = in[x + y * width];
    __syncthreads();
    int u = blockIdx.y * T + threadIdx.x;
    int v = blockIdx.x * T + threadIdx.y;
    if (v < width && u < height)
        out[u + height * v] = tile[threadIdx.y * T + threadIdx.x];
}

// Columns of the tile are shifted by their row, against conflicts of banks.
//~ race-free
__global__ void transpose_diagonal_ok(float *out, const float *in, int width, int height)
{
    __shared__ float tile[T][T];
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][(threadIdx.x + threadIdx.y) % T] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.y * T + threadIdx.x;
    int v = blockIdx.x * T + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = tile[threadIdx.x][(threadIdx.y + threadIdx.x) % T];
}

// Rows of the result are as long as those of the matrix.
//~ race-free
__global__ void transpose_stride_ok(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < width && y < height && width >= height)
        out[x * width + y] = in[y * width + x];
}

// The element of the tile is not the turned one.
//~ race-free
__global__ void transpose_index_ok(float *out, const float *in, int width, int height)
{
    __shared__ float tile[T][T];
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.y * T + threadIdx.x;
    int v = blockIdx.x * T + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = tile[threadIdx.y][threadIdx.x];
}

// One row is left out.
//~ race-free
__global__ void transpose_guard_ok(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < width && y < height - 1)
        out[x * height + y] = in[y * width + x];
}

// Only whole tiles are turned.
//~ race-free
__global__ void transpose_edge_ok(float *out, const float *in, int width, int height)
{
    __shared__ float tile[T][T + 1];
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    bool whole = (blockIdx.x + 1) * T <= width && (blockIdx.y + 1) * T <= height;
    if (whole)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    if (whole)
        out[(blockIdx.x * T + threadIdx.y) * height + blockIdx.y * T + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// Copied and not turned.
//~ race-free
__global__ void transpose_not_ok(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = in[y * width + x];
}

// The edges are taken for each other.
//~ race-free
__global__ void transpose_corner_ok(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < height && y < height && x < width)
        out[x * height + y] = in[y * width + x];
}
