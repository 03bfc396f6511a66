// Findings that the caller rules out by sizes that make digits of places apart: rows counted in bytes, parts of a row that are written one behind another.

// A pitch counts bytes: a row is as wide as four times its columns.
//~ race conditional
__global__ void rows_in_bytes_bad(char *image, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float *row = (float *)(image + y * pitch);
        row[x] = x + 3.0f * y; //~ here
    }
}

// The kernel sees to it itself.
//~ race-free
__global__ void rows_in_bytes_guarded_ok(char *image, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (width > 0 && 4 * (size_t)width <= pitch && x < width && y < height) {
        float *row = (float *)(image + y * pitch);
        row[x] = x + 3.0f * y;
    }
}

// As many bytes as there are columns are not enough.
//~ race
__global__ void rows_in_columns_bad(char *image, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (width > 0 && width <= pitch && x < width && y < height) {
        float *row = (float *)(image + y * pitch);
        row[x] = x + 3.0f * y; //~ here
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
        float *row = (float *)(volume + z * (pitch * height) + y * pitch);
        row[x] = row[x] * 2.0f; //~ here
    }
}

// However wide rows are: two columns share an element.
//~ race confirmed
__global__ void columns_halved_bad(char *image, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float *row = (float *)(image + y * pitch);
        row[x / 2] = x + 3.0f * y; //~ here
    }
}
