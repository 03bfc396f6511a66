//--blockDim=[16,16] --gridDim=[4,4] -DN=64
// Matrix transposes of N x N floats by 16 x 16 tiles; N is a multiple of the tile.

// Naive: each thread moves one element; column * N + row is different for different threads
// while both are below N.
//~ race-free
__global__ void transpose_naive_ok(const float *in, float *out)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    out[x * N + y] = in[y * N + x];
}

// Coalesced through a shared tile, one barrier between filling and reading it transposed.
//~ race-free
__global__ void transpose_coalesced_ok(const float *in, float *out)
{
    __shared__ float tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * N + x];
    __syncthreads();
    int tx = blockIdx.y * 16 + threadIdx.x;
    int ty = blockIdx.x * 16 + threadIdx.y;
    out[ty * N + tx] = tile[threadIdx.x][threadIdx.y];
}

// A padding column against bank conflicts changes nothing about races.
//~ race-free
__global__ void transpose_padded_ok(const float *in, float *out)
{
    __shared__ float tile_p[16][17];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    tile_p[threadIdx.y][threadIdx.x] = in[y * N + x];
    __syncthreads();
    int tx = blockIdx.y * 16 + threadIdx.x;
    int ty = blockIdx.x * 16 + threadIdx.y;
    out[ty * N + tx] = tile_p[threadIdx.x][threadIdx.y];
}

// Diagonal: the blocks are renamed along diagonals, (x, y) becomes ((x + y) % 4, x). The renaming is
// one-to-one, so the tiles stay disjoint.
//~ race-free
__global__ void transpose_diagonal_ok(const float *in, float *out)
{
    __shared__ float tile_d[16][17];
    int by = blockIdx.x;
    int bx = (blockIdx.x + blockIdx.y) % gridDim.x;
    int x = bx * 16 + threadIdx.x;
    int y = by * 16 + threadIdx.y;
    tile_d[threadIdx.y][threadIdx.x] = in[y * N + x];
    __syncthreads();
    int tx = by * 16 + threadIdx.x;
    int ty = bx * 16 + threadIdx.y;
    out[ty * N + tx] = tile_d[threadIdx.x][threadIdx.y];
}

// The barrier is missing: a thread reads the tile element of its mirror thread too early.
//~ race
__global__ void transpose_no_barrier_bad(const float *in, float *out)
{
    __shared__ float tile_b[16][16];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    tile_b[threadIdx.y][threadIdx.x] = in[y * N + x]; //~ here
    int tx = blockIdx.y * 16 + threadIdx.x;
    int ty = blockIdx.x * 16 + threadIdx.y;
    out[ty * N + tx] = tile_b[threadIdx.x][threadIdx.y]; //~ here
}

// The output column is taken from bx as well: the four blocks of a diagonal all write tile (bx, bx),
// each with other elements.
//~ race
__global__ void transpose_diagonal_bad(const float *in, float *out)
{
    __shared__ float tile_e[16][17];
    int by = blockIdx.x;
    int bx = (blockIdx.x + blockIdx.y) % gridDim.x;
    int x = bx * 16 + threadIdx.x;
    int y = by * 16 + threadIdx.y;
    tile_e[threadIdx.y][threadIdx.x] = in[y * N + x];
    __syncthreads();
    int tx = bx * 16 + threadIdx.x;
    int ty = bx * 16 + threadIdx.y;
    out[ty * N + tx] = tile_e[threadIdx.x][threadIdx.y]; //~ here
}

// In place and without a pairing: each thread overwrites the element its mirror still reads.
//~ race
__global__ void transpose_in_place_bad(float *a)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    float v = a[y * N + x]; //~ here
    a[x * N + y] = v; //~ here
}

// In place, the threads below the diagonal swap both elements of their pair.
//~ race-free
__global__ void transpose_in_place_ok(float *a)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < y) {
        float v = a[y * N + x];
        a[y * N + x] = a[x * N + y];
        a[x * N + y] = v;
    }
}
