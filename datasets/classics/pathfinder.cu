//--blockDim=256 --gridDim=4
// Cheapest way down a grid, row by row: a block keeps the costs of a stretch in shared memory.

// Read prev, write result, barrier, copy back, barrier.
//~ race-free
__global__ void pathfinder_ok(const int *wall, const int *source, int *cost, int rows, int cols)
{
    __requires(rows >= 0 && rows < 128);
    __shared__ int prev[256];
    __shared__ int result[256];
    int tx = threadIdx.x;
    int inner = 256 - 2 * rows;
    int x = blockIdx.x * inner + tx - rows;
    bool inside = x >= 0 && x < cols;
    prev[tx] = inside ? source[x] : 0;
    __syncthreads();
    bool computed = false;
    for (int i = 0; i < rows; i++) {
        computed = false;
        if (tx > i && tx < 255 - i && inside) {
            computed = true;
            int best = min(prev[tx - 1], min(prev[tx], prev[tx + 1]));
            result[tx] = best + wall[i * cols + x];
        }
        __syncthreads();
        if (i == rows - 1) break;
        if (computed) prev[tx] = result[tx];
        __syncthreads();
    }
    if (computed && tx >= rows && tx < 256 - rows) cost[x] = result[tx];
}

// The copy back is not separated from the next row: a neighbour's read of prev meets it.
//~ race
__global__ void pathfinder_copy_bad(const int *wall, const int *source, int *cost, int rows, int cols)
{
    __shared__ int prev2[256];
    __shared__ int result2[256];
    int tx = threadIdx.x;
    int inner = 256 - 2 * rows;
    int x = blockIdx.x * inner + tx - rows;
    bool inside = x >= 0 && x < cols;
    prev2[tx] = inside ? source[x] : 0;
    __syncthreads();
    for (int i = 0; i < rows; i++) {
        bool computed = false;
        if (tx > i && tx < 255 - i && inside) {
            computed = true;
            int best = min(prev2[tx - 1], min(prev2[tx], prev2[tx + 1])); //~ here
            result2[tx] = best + wall[i * cols + x];
        }
        __syncthreads();
        if (computed) prev2[tx] = result2[tx]; //~ here
    }
    if (inside && tx >= rows && tx < 256 - rows) cost[x] = result2[tx];
}

// A thread whose cell is out of range leaves the loop before the barrier of the row.
//~ divergence
__global__ void pathfinder_break_bad(const int *wall, const int *source, int *cost, int rows, int cols)
{
    __shared__ int mine[256];
    int tx = threadIdx.x;
    int x = blockIdx.x * 256 + tx;
    mine[tx] = 0;
    for (int i = 0; i < rows; i++) {
        if (x >= cols) break;
        mine[tx] += wall[i * cols + x];
        __syncthreads(); //~ here
    }
    if (x < cols) cost[x] = mine[tx] + source[x];
}
