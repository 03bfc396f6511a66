// An axis that one of two sides knows is open for both.
//= different rows_of_block_ok first_row_ok
//= equal both_rows_ok both_rows_too_ok

// A row for each thread along y.
//~ race-free
__global__ void rows_of_block_ok(int *out, const int *in, int width)
{
    int column = threadIdx.x, row = threadIdx.y;
    if (column < width)
        out[row * width + column] = in[row * width + column];
}

// The first row.
//~ race-free
__global__ void first_row_ok(int *out, const int *in, int width)
{
    int column = threadIdx.x;
    if (column < width)
        out[column] = in[column];
}

// A row for each thread along y.
//~ race-free
__global__ void both_rows_ok(int *out, const int *in)
{
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// The same from the other end of the sum.
//~ race-free
__global__ void both_rows_too_ok(int *out, const int *in)
{
    int i = threadIdx.x + blockDim.x * threadIdx.y;
    out[i] = in[i];
}
