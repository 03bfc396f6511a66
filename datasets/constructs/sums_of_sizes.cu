// Columns and rows that are sums of the sizes that a kernel is given: `width - size + 1`

// What a filter leaves of a picture, maps one behind the other.
//~ race-free
__global__ void maps_ok(float *out, const float *in, int height, int width, int size, int maps)
{
    int rows = height - size + 1, columns = width - size + 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < rows && x < columns)
        for (int m = 0; m < maps; m++)
            out[(m * rows + y) * columns + x] = in[y * width + x];
}

// [extent] As many columns as the picture has.
//~ race
__global__ void maps_columns_bad(int *out, int height, int width, int size, int maps)
{
    int rows = height - size + 1, columns = width - size + 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < rows && x < width)
        for (int m = 0; m < maps; m++)
            out[(m * rows + y) * columns + x] = x + y; //~ here
}

// [extent] As many rows as the picture has.
//~ race
__global__ void maps_rows_bad(int *out, int height, int size, int maps)
{
    int rows = height - size + 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < height && x < 8)
        for (int m = 0; m < maps; m++)
            out[(m * rows + y) * 8 + x] = y; //~ here
}

// [stride] One column less.
//~ race
__global__ void maps_stride_bad(int *out, int height, int width, int size, int maps)
{
    int rows = height - size + 1, columns = width - size + 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < rows && x < columns)
        for (int m = 0; m < maps; m++)
            out[(m * rows + y) * (columns - 1) + x] = x + y; //~ here
}

// A number taken apart by a sum, and put together by it.
//~ race-free
__global__ void taken_apart_ok(int *out, int n, int pad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / (n + pad), column = i % (n + pad);
    if (n > 0 && pad >= 0)
        out[row * (n + pad) + column] = i;
}

// [stride] Put together without what the rows are padded by.
//~ race
__global__ void taken_apart_bad(int *out, int n, int pad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / (n + pad), column = i % (n + pad);
    if (n > 0 && pad >= 0)
        out[row * n + column] = i; //~ here
}

// Rows with a border at both sides.
//~ race-free
__global__ void border_ok(int *out, int width, int height, int border)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int pitch = width + 2 * border;
    if (x < width && y < height && border >= 0)
        out[(y + border) * pitch + x + border] = 1;
}

// [sign] A border may be missing: rows overlap.
//~ race
__global__ void border_negative_bad(int *out, int width, int height, int border)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int pitch = width + 2 * border;
    if (x < width && y < height && pitch > 0)
        out[y * pitch + x] = x; //~ here
}

// [sum-computed-later] Where one of the accesses does not compute the sum, it says nothing of the other's.
//~ race
__global__ void unguarded_bad(int *out, int width, int size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < 2)
        out[y * (width - size + 1) + x] = x; //~ here
}
