//--blockDim=[16,8] --gridDim=[2,2]
// Pairs before and after a fix: no barrier between what threads load together and what they use

// [missing-barrier] A tile with its halo.
//~ race
__global__ void pair_halo_bad(const float *g, float *out)
{
    __shared__ float tile[10][18];
    int x = threadIdx.x, y = threadIdx.y;
    int gx = blockIdx.x * 16 + x, gy = blockIdx.y * 8 + y;
    tile[y + 1][x + 1] = g[(gy + 1) * 34 + gx + 1]; //~ here
    if (x == 0) tile[y + 1][0] = g[(gy + 1) * 34 + gx];
    if (x == 15) tile[y + 1][17] = g[(gy + 1) * 34 + gx + 2];
    if (y == 0) tile[0][x + 1] = g[gy * 34 + gx + 1];
    if (y == 7) tile[9][x + 1] = g[(gy + 2) * 34 + gx + 1];
    out[gy * 32 + gx] = tile[y][x + 1] + tile[y + 2][x + 1] + tile[y + 1][x] + tile[y + 1][x + 2]; //~ here
}

// After: a barrier when the tile is complete.
//~ race-free
__global__ void pair_halo_ok(const float *g, float *out)
{
    __shared__ float tile[10][18];
    int x = threadIdx.x, y = threadIdx.y;
    int gx = blockIdx.x * 16 + x, gy = blockIdx.y * 8 + y;
    tile[y + 1][x + 1] = g[(gy + 1) * 34 + gx + 1];
    if (x == 0) tile[y + 1][0] = g[(gy + 1) * 34 + gx];
    if (x == 15) tile[y + 1][17] = g[(gy + 1) * 34 + gx + 2];
    if (y == 0) tile[0][x + 1] = g[gy * 34 + gx + 1];
    if (y == 7) tile[9][x + 1] = g[(gy + 2) * 34 + gx + 1];
    __syncthreads();
    out[gy * 32 + gx] = tile[y][x + 1] + tile[y + 2][x + 1] + tile[y + 1][x] + tile[y + 1][x + 2];
}

// [missing-barrier] A table that all threads load in strides and look up anywhere.
//~ race
__global__ void pair_table_bad(const int *table, const unsigned char *g, int *out)
{
    __shared__ int t256[256];
    int t = threadIdx.y * 16 + threadIdx.x;
    int i = (blockIdx.y * 2 + blockIdx.x) * 128 + t;
    for (int k = t; k < 256; k += 128) t256[k] = table[k]; //~ here
    out[i] = t256[g[i]]; //~ here
}

// After: a barrier behind the loop.
//~ race-free
__global__ void pair_table_ok(const int *table, const unsigned char *g, int *out)
{
    __shared__ int t256[256];
    int t = threadIdx.y * 16 + threadIdx.x;
    int i = (blockIdx.y * 2 + blockIdx.x) * 128 + t;
    for (int k = t; k < 256; k += 128) t256[k] = table[k];
    __syncthreads();
    out[i] = t256[g[i]];
}

// [missing-barrier] The transposed tile is read by the threads across.
//~ race
__global__ void pair_turn_tile_bad(const float *g, float *out)
{
    __shared__ float tile[8][17];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    int base = (blockIdx.y * 2 + blockIdx.x) * 128;
    tile[y][x] = g[base + t]; //~ here
    out[base + t] = tile[t % 8][t / 8]; //~ here
}

// After: with the barrier.
//~ race-free
__global__ void pair_turn_tile_ok(const float *g, float *out)
{
    __shared__ float tile[8][17];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    int base = (blockIdx.y * 2 + blockIdx.x) * 128;
    tile[y][x] = g[base + t];
    __syncthreads();
    out[base + t] = tile[t % 8][t / 8];
}

struct Window {
    int first;
    int last;
};

// [missing-barrier] Thread 0 sets up what the block works on; the others begin at once.
//~ race
__global__ void pair_window_bad(const int *limits, int *out)
{
    __shared__ Window w;
    int t = threadIdx.y * 16 + threadIdx.x, b = blockIdx.y * 2 + blockIdx.x;
    if (t == 0) {
        w.first = limits[b]; //~ here
        w.last = limits[b + 1]; //~ here
    }
    if (t < w.last - w.first) out[b * 128 + t] = w.first + t; //~ here
}

// After: the others wait.
//~ race-free
__global__ void pair_window_ok(const int *limits, int *out)
{
    __shared__ Window w;
    int t = threadIdx.y * 16 + threadIdx.x, b = blockIdx.y * 2 + blockIdx.x;
    if (t == 0) {
        w.first = limits[b];
        w.last = limits[b + 1];
    }
    __syncthreads();
    if (t < w.last - w.first) out[b * 128 + t] = w.first + t;
}

// [missing-barrier] The barrier stands behind the first of two loads only.
//~ race
__global__ void pair_second_load_bad(const float *a, const float *b, float *out)
{
    __shared__ float sa[8][16];
    __shared__ float sb[16];
    int x = threadIdx.x, y = threadIdx.y;
    int i = (blockIdx.y * 2 + blockIdx.x) * 128 + y * 16 + x;
    sa[y][x] = a[i];
    __syncthreads();
    if (y == 0) sb[x] = b[x]; //~ here
    float sum = 0.0f;
    for (int k = 0; k < 16; k++) sum += sa[y][k] * sb[k]; //~ here
    out[i] = sum;
}

// After: the barrier stands behind both.
//~ race-free
__global__ void pair_second_load_ok(const float *a, const float *b, float *out)
{
    __shared__ float sa[8][16];
    __shared__ float sb[16];
    int x = threadIdx.x, y = threadIdx.y;
    int i = (blockIdx.y * 2 + blockIdx.x) * 128 + y * 16 + x;
    sa[y][x] = a[i];
    if (y == 0) sb[x] = b[x];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 16; k++) sum += sa[y][k] * sb[k];
    out[i] = sum;
}

// [missing-barrier] The neighbours of the list are read while the list is made.
//~ race
__global__ void pair_mark_heads_bad(const int *key, int *head)
{
    __shared__ int k[128];
    int t = threadIdx.y * 16 + threadIdx.x;
    int i = (blockIdx.y * 2 + blockIdx.x) * 128 + t;
    k[t] = key[i]; //~ here
    head[i] = t == 0 || k[t] != k[t - 1]; //~ here
}

// After: the list is complete first.
//~ race-free
__global__ void pair_mark_heads_ok(const int *key, int *head)
{
    __shared__ int k[128];
    int t = threadIdx.y * 16 + threadIdx.x;
    int i = (blockIdx.y * 2 + blockIdx.x) * 128 + t;
    k[t] = key[i];
    __syncthreads();
    head[i] = t == 0 || k[t] != k[t - 1];
}
