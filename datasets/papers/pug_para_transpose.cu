// After Li and Gopalakrishnan, PUG_para (IPDPSW 2012): two transposes that compute the same, checked
// for any number of threads. No launch is stated.

// The plain one: an element per thread, guarded.
//~ race-free
__global__ void pugpara_transpose_naive_ok(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

// The coalesced one through shared memory, with a padding column. It needs a square block, or the
// tile of the output is not the tile of the input.
//~ race-free
__global__ void pugpara_transpose_tile_ok(const float *in, float *out, int width, int height)
{
    __requires(blockDim.x == blockDim.y);
    extern __shared__ float tile[];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int pitch = blockDim.x + 1;
    if (x < width && y < height) tile[threadIdx.y * pitch + threadIdx.x] = in[y * width + x];
    __syncthreads();
    int tx = blockIdx.y * blockDim.y + threadIdx.x;
    int ty = blockIdx.x * blockDim.x + threadIdx.y;
    if (tx < height && ty < width) out[ty * height + tx] = tile[threadIdx.x * pitch + threadIdx.y];
}

// Without the requirement a block wider than high writes output columns of the next block's tile.
//~ race
__global__ void pugpara_transpose_tile_bad(const float *in, float *out, int width, int height)
{
    extern __shared__ float tile2[];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int pitch = blockDim.x + 1;
    if (x < width && y < height) tile2[threadIdx.y * pitch + threadIdx.x] = in[y * width + x];
    __syncthreads();
    int tx = blockIdx.y * blockDim.y + threadIdx.x;
    int ty = blockIdx.x * blockDim.x + threadIdx.y;
    if (tx < height && ty < width) out[ty * height + tx] = tile2[threadIdx.x * pitch + threadIdx.y]; //~ here
}
