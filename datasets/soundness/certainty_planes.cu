// Findings that only two relations of sizes at once rule out: places of three dimensions.

// Rows as wide as the threads along x are not enough: planes must be as high as those along y.
//~ race conditional
__global__ void volume_bad(int *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    out[(z * height + y) * width + x] = x + 2 * y + 3 * z; //~ here
}

// The guards keep to the sizes.
//~ race-free
__global__ void volume_guarded_ok(int *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < width && y < height)
        out[(z * height + y) * width + x] = x + 2 * y + 3 * z;
}

// Two strides that the caller gives: rows in a plane, planes in the whole.
//~ race conditional
__global__ void strides_bad(int *out, int row, int plane)
{
    out[threadIdx.x + threadIdx.y * row + threadIdx.z * plane] = threadIdx.x + 2 * threadIdx.y + 3 * threadIdx.z; //~ here
}

// Channels of images along y and z of the grid.
//~ race conditional
__global__ void channels_bad(int *out, const int *in, int pixels, int channels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[(blockIdx.z * channels + blockIdx.y) * pixels + i] = in[i] + blockIdx.y + 2 * blockIdx.z; //~ here
}

// However wide rows and however high planes are: pairs of threads share an element.
//~ race confirmed
__global__ void halved_bad(int *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    out[(z * height + y) * width + x / 2] = x + 2 * y + 3 * z; //~ here
}

// Each block writes 64 columns of a row.
//~ race conditional
__global__ void columns_of_blocks_bad(int *out, int width)
{
    int column = blockIdx.x * 64 + threadIdx.x % 64;
    if (threadIdx.x < 64)
        out[blockIdx.y * width + column] = column + 2 * blockIdx.y; //~ here
}

__constant__ int pitch;

// A size that the host puts into constant memory is the caller's as one that it passes.
//~ race conditional
__global__ void pitch_in_constant_memory_bad(int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    out[y * pitch + x] = x + 2 * y; //~ here
}

// Here the guard holds a row together.
//~ race-free
__global__ void guarded_by_constant_memory_ok(int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x < pitch)
        out[y * pitch + x] = x + 2 * y;
}
