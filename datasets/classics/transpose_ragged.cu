//--blockDim=[16,16] --gridDim=[4,4] -DN=60
// Transposes of a matrix whose side is no multiple of the tile: the grid overhangs.

// Both coordinates are guarded, before and after the exchange.
//~ race-free
__global__ void transpose_ragged_ok(const float *in, float *out)
{
    __shared__ float tile_r[16][17];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < N && y < N) tile_r[threadIdx.y][threadIdx.x] = in[y * N + x];
    __syncthreads();
    int tx = blockIdx.y * 16 + threadIdx.x;
    int ty = blockIdx.x * 16 + threadIdx.y;
    if (tx < N && ty < N) out[ty * N + tx] = tile_r[threadIdx.x][threadIdx.y];
}

// No guard: element (0, 60) of the overhang is element (1, 0), which another thread writes.
//~ race
__global__ void transpose_ragged_bad(const float *in, float *out)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    out[x * N + y] = in[y * N + x]; //~ here
}

// A guard of the linear index keeps accesses inside the array, but still lets rows overlap.
//~ race
__global__ void transpose_ragged_linear_guard_bad(const float *in, float *out)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x * N + y < N * N) out[x * N + y] = in[(y * N + x) % (N * N)]; //~ here
}

// The barrier sits inside the guard, which differs within the blocks at the edge.
//~ divergence
__global__ void transpose_ragged_barrier_bad(const float *in, float *out)
{
    __shared__ float tile_s[16][17];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < N && y < N) {
        tile_s[threadIdx.y][threadIdx.x] = in[y * N + x];
        __syncthreads(); //~ here
        out[x * N + y] = tile_s[threadIdx.y][threadIdx.x];
    }
}
