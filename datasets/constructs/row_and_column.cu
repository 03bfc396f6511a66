// Construct: rows and columns computed from one index by division and remainder

// Each thread writes the element that it has been taken apart to.
//~ race-free
__global__ void split_square_ok(int *u, unsigned int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n * n) {
        int i = id % n;
        int j = id / n;
        u[i + j * n] = i;
    }
}

// [index] The rows are one element short: the last of a row is the first of the next.
//~ race
__global__ void split_square_bad(int *u, unsigned int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n * n) {
        int i = id % n;
        int j = id / n;
        u[i + j * (n - 1)] = i; //~ here
    }
}

//~ race-free
__global__ void split_twice_ok(float *out, int planes, int rows, int columns)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (rows > 0 && columns > 0 && id < planes * rows * columns) {
        int column = id % columns;
        int row = id / columns % rows;
        int plane = id / columns / rows;
        out[(plane * rows + row) * columns + column] = 1.0f;
    }
}

// [index] The planes are taken for as long as a row.
//~ race
__global__ void split_twice_bad(float *out, int planes, int rows, int columns)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (rows > 0 && columns > 0 && id < planes * rows * columns) {
        int column = id % columns;
        int row = id / columns % rows;
        int plane = id / columns / rows;
        out[(plane + row) * columns + column] = 1.0f + id; //~ here
    }
}
