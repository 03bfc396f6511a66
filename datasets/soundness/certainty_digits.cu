// Findings that the caller rules out by sizes that make digits of places apart: rows counted in bytes, parts of rows in four dimensions.

// A pitch counts bytes: a row is as wide as four times its columns.
//~ race conditional
__global__ void rows_in_bytes_bad(char *image, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int *row = (int *)(image + y * pitch);
        row[x] = x + 3 * y; //~ here
    }
}

// The kernel sees to it itself.
//~ race-free
__global__ void rows_in_bytes_guarded_ok(char *image, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (width > 0 && 4 * (size_t)width <= pitch && x < width && y < height) {
        int *row = (int *)(image + y * pitch);
        row[x] = x + 3 * y;
    }
}

// As many bytes as there are columns are not enough.
//~ race
__global__ void rows_in_columns_bad(char *image, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (width > 0 && width <= pitch && x < width && y < height) {
        int *row = (int *)(image + y * pitch);
        row[x] = x + 3 * y; //~ here
    }
}

// Slices of rows of bytes, by a pitch that no caller leaves at 0.
//~ race conditional
__global__ void slices_in_bytes_bad(char *volume, size_t pitch, int width, int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (z < depth && y < height && x < width) {
        int *row = (int *)(volume + z * (pitch * height) + y * pitch);
        row[x] = row[x] + 1; //~ here
    }
}

// However wide rows are: two columns share an element.
//~ race confirmed
__global__ void columns_halved_bad(char *image, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int *row = (int *)(image + y * pitch);
        row[x / 2] = x + 3 * y; //~ here
    }
}

// Rows that are transposed in parts: the parts must hold what is written, and the blocks stay below the first size.
//~ race conditional
__global__ void four_sizes_bad(int *out, const int *in, int heads, int parts, int part, int wide)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < wide) {
        int column = i % part;
        int row = i / part;
        out[((blockIdx.z * heads + blockIdx.y) * parts + row) * part + column] = in[i] + blockIdx.y + 2 * blockIdx.z; //~ here
    }
}
