// Construct: block and grid sizes that are host variables of any value

// The rows are n elements long, and a thread keeps to its column.
//~ race-free
__global__ void launch_unknown_column_ok(int *g, int n, int rows)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        for (int row = 0; row < rows; row++)
            g[id + n * row] = row;
    }
}

// [launch] The guard lets one thread too many in: its element is the first of the next row.
//~ race
__global__ void launch_unknown_column_bad(int *g, int n, int rows)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id <= n) {
        for (int row = 0; row < rows; row++)
            g[id + n * row] = row; //~ here
    }
}

// A block of threads on a row of as many elements.
//~ race-free
__global__ void launch_unknown_rows_ok(int *g)
{
    g[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
}

// [launch] The rows have the length of the grid.
//~ race
__global__ void launch_unknown_rows_bad(int *g)
{
    g[blockIdx.x * gridDim.x + threadIdx.x] = blockIdx.x; //~ here
}

void launch_unknown_sizes(int *g, int n, int rows, int side, int threads)
{
    launch_unknown_column_ok<<<side * side, threads>>>(g, n, rows);
    launch_unknown_column_bad<<<side * side, threads>>>(g, n, rows);
    launch_unknown_rows_ok<<<side, threads>>>(g);
    launch_unknown_rows_bad<<<side, threads>>>(g);
}
