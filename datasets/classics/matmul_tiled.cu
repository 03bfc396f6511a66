//--blockDim=[16,16] --gridDim=[4,4]
// Tiled product of square matrices of side 16 * gridDim.x.

// Two barriers per tile: load | use | load the next.
//~ race-free
__global__ void matmul_ok(const float *a, const float *b, float *c)
{
    __shared__ float ta[16][16];
    __shared__ float tb[16][16];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int n = 16 * gridDim.x;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int m = 0; m < gridDim.x; m++) {
        ta[ty][tx] = a[row * n + m * 16 + tx];
        tb[ty][tx] = b[(m * 16 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += ta[ty][k] * tb[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// No second barrier: a fast thread loads the next tile over elements that slow ones still use. A
// write-after-read race carried to the next iteration.
//~ race
__global__ void matmul_second_barrier_bad(const float *a, const float *b, float *c)
{
    __shared__ float ta2[16][16];
    __shared__ float tb2[16][16];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int n = 16 * gridDim.x;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int m = 0; m < gridDim.x; m++) {
        ta2[ty][tx] = a[row * n + m * 16 + tx]; //~ here
        tb2[ty][tx] = b[(m * 16 + ty) * n + col]; //~ here
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += ta2[ty][k] * tb2[k][tx]; //~ here
    }
    c[row * n + col] = sum;
}

// No first barrier: the tile is used while it is being loaded.
//~ race
__global__ void matmul_first_barrier_bad(const float *a, const float *b, float *c)
{
    __shared__ float ta3[16][16];
    __shared__ float tb3[16][16];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int n = 16 * gridDim.x;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int m = 0; m < gridDim.x; m++) {
        ta3[ty][tx] = a[row * n + m * 16 + tx]; //~ here
        tb3[ty][tx] = b[(m * 16 + ty) * n + col]; //~ here
        for (int k = 0; k < 16; k++) sum += ta3[ty][k] * tb3[k][tx]; //~ here
        __syncthreads();
    }
    c[row * n + col] = sum;
}
