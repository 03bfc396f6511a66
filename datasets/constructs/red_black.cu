// Construct: red and black, places of one colour at a time

// The four neighbours have the other colour; the margin is not written.
//~ race-free
__global__ void red_black_ok(float *a, int w, int h, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1 && (x + y) % 2 == colour)
        a[y * w + x] = a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x];
}

// [index] Diagonal neighbours have the same colour.
//~ race
__global__ void red_black_diagonal_bad(float *a, int w, int h, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1 && (x + y) % 2 == colour)
        a[y * w + x] = a[y * w + x - 1] + a[(y + 1) * w + x + 1]; //~ here
}

// [index] Columns of one colour: those above and below are written too.
//~ race
__global__ void red_black_columns_bad(float *a, int w, int h, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1 && (x & 1) == colour)
        a[y * w + x] = a[y * w + x - 1] + a[(y - 1) * w + x]; //~ here
}

// Columns of one colour, and neighbours in the row.
//~ race-free
__global__ void red_black_columns_ok(float *a, int w, int h, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1 && (x & 1) == colour)
        a[y * w + x] = a[y * w + x - 1] + a[y * w + x + 1];
}

// [index] The last column is written: its neighbour is the first of the next row, of either colour.
//~ race
__global__ void red_black_margin_bad(float *a, int w, int h, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 0 && x < w && y > 0 && y < h - 1 && (x + y) % 2 == colour)
        a[y * w + x] = a[y * w + x + 1]; //~ here
}

// Three colours: neighbours one apart have others.
//~ race-free
__global__ void three_colours_ok(float *a, int w, int h, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 1 && x < w - 2 && y > 1 && y < h - 2 && (x + y) % 3 == colour)
        a[y * w + x] = a[y * w + x - 2] + a[(y + 1) * w + x] + a[(y - 1) * w + x - 1];
}

// [index] Three colours: the knight's move leads to the same one.
//~ race
__global__ void three_colours_bad(float *a, int w, int h, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 1 && x < w - 2 && y > 1 && y < h - 2 && (x + y) % 3 == colour)
        a[y * w + x] = a[(y + 1) * w + x + 2]; //~ here
}

// [index] Each column has a colour of its own.
//~ race
__global__ void red_black_own_colour_bad(float *a, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1 && (x + y) % 2 == threadIdx.x % 2)
        a[y * w + x] = a[y * w + x - 1] + a[(y - 1) * w + x]; //~ here
}

// In three dimensions.
//~ race-free
__global__ void red_black_space_ok(float *a, int w, int h, int d, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1 && z > 0 && z < d - 1 && (x + y + z) % 2 == colour)
        a[(z * h + y) * w + x] = a[(z * h + y) * w + x - 1] + a[((z - 1) * h + y) * w + x];
}
