// Tiled product of rectangular matrices, launched from host code with rounded-up grid sizes.
#define TILE 16

// Guards before the loads and the store, none around a barrier.
//~ race-free
__global__ void matmul_host_ok(const float *a, const float *b, float *c, int rows, int inner, int cols)
{
    __shared__ float part_a[TILE][TILE];
    __shared__ float part_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int m = 0; m < (inner + TILE - 1) / TILE; m++) {
        int ka = m * TILE + threadIdx.x;
        int kb = m * TILE + threadIdx.y;
        part_a[threadIdx.y][threadIdx.x] = (row < rows && ka < inner) ? a[row * inner + ka] : 0.0f;
        part_b[threadIdx.y][threadIdx.x] = (kb < inner && col < cols) ? b[kb * cols + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += part_a[threadIdx.y][k] * part_b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && col < cols) c[row * cols + col] = sum;
}

// The threads beyond the matrix return early and miss the barriers of the loop; the others read
// tile elements which those threads never load, so that no two threads meet at one.
//~ divergence
__global__ void matmul_host_return_bad(const float *a, const float *b, float *c, int rows, int inner, int cols)
{
    __shared__ float part_a2[TILE][TILE];
    __shared__ float part_b2[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= rows || col >= cols) return;
    float sum = 0.0f;
    for (int m = 0; m < (inner + TILE - 1) / TILE; m++) {
        int ka = m * TILE + threadIdx.x;
        int kb = m * TILE + threadIdx.y;
        part_a2[threadIdx.y][threadIdx.x] = ka < inner ? a[row * inner + ka] : 0.0f;
        part_b2[threadIdx.y][threadIdx.x] = kb < inner ? b[kb * cols + col] : 0.0f;
        __syncthreads(); //~ here
        for (int k = 0; k < TILE; k++) sum += part_a2[threadIdx.y][k] * part_b2[k][threadIdx.x];
        __syncthreads(); //~ here
    }
    c[row * cols + col] = sum;
}

int main()
{
    const int rows = 50;
    const int inner = 40;
    const int cols = 70;
    float *a;
    float *b;
    float *c;
    cudaMalloc(&a, rows * inner * sizeof(float));
    cudaMalloc(&b, inner * cols * sizeof(float));
    cudaMalloc(&c, rows * cols * sizeof(float));
    dim3 block(TILE, TILE);
    dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    matmul_host_ok<<<grid, block>>>(a, b, c, rows, inner, cols);
    matmul_host_return_bad<<<grid, block>>>(a, b, c, rows, inner, cols);
    cudaDeviceSynchronize();
    return 0;
}
