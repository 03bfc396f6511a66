// Construct: the rows of a triangle, one behind the other

// Row r begins behind the r * (r + 1) / 2 places of the rows above.
//~ race-free
__global__ void triangle_ok(float *l, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n)
        for (int c = 0; c <= r; c++)
            l[r * (r + 1) / 2 + c] = r;
}

// [index] Rows that are one shorter: the last place is the first of the next row.
//~ race
__global__ void triangle_shorter_bad(float *l, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n)
        for (int c = 0; c <= r; c++)
            l[r * (r - 1) / 2 + c] = r; //~ here
}

// Without the diagonal.
//~ race-free
__global__ void triangle_strict_ok(float *l, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n)
        for (int c = 0; c < r; c++)
            l[r * (r - 1) / 2 + c] = r;
}

// [index] The column on the left of the first one is in the row above.
//~ race
__global__ void triangle_left_bad(float *l, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n)
        for (int c = -1; c <= r; c++)
            l[r * (r + 1) / 2 + c + 1] = r; //~ here
}

// [index] The place on the right is read.
//~ race
__global__ void triangle_right_bad(float *l, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n)
        for (int c = 0; c <= r; c++)
            l[r * (r + 1) / 2 + c] = l[r * (r + 1) / 2 + c + 1]; //~ here
}

// A place of the thread's own row is read, in another round.
//~ race-free
__global__ void triangle_row_ok(float *l, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n)
        for (int c = 0; c <= r; c++)
            l[r * (r + 1) / 2 + c] += l[r * (r + 1) / 2 + r - c];
}
