// Construct: digits put together in another order within rows, whose places a guard bounds

// Channels of images in groups, shuffled: each channel is a row of its own.
//~ race-free
__global__ void shuffled_channels_ok(int *y, int groups, int size, int image)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channel = blockIdx.y, n = blockIdx.z, channels = groups * size;
    int at = (n * channels + channel % size * groups + channel / size) * image;
    if (channel < channels && i < image) y[at + i] = i;
}

// [index] The digits keep their old strides.
//~ race
__global__ void shuffled_channels_bad(int *y, int groups, int size, int image)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channel = blockIdx.y, n = blockIdx.z, channels = groups * size;
    int at = (n * channels + channel % size * size + channel / size) * image;
    if (channel < channels && i < image) y[at + i] = i + channel; //~ here
}

// [boundary] One place too many in each row.
//~ race
__global__ void shuffled_channels_row_bad(int *y, int groups, int size, int image)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channel = blockIdx.y, n = blockIdx.z, channels = groups * size;
    int at = (n * channels + channel % size * groups + channel / size) * image;
    if (channel < channels && i <= image) y[at + i] = i + channel; //~ here
}

// [boundary] One channel too many in each image.
//~ race
__global__ void shuffled_channels_image_bad(int *y, int groups, int size, int image)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channel = blockIdx.y, n = blockIdx.z, channels = groups * size;
    int at = (n * channels + channel % size * groups + channel / size) * image;
    if (channel <= channels && i < image) y[at + i] = i + channel; //~ here
}

// A row for each block, as long as a product of sizes.
//~ race-free
__global__ void shuffled_row_ok(int *y, int groups, int size)
{
    int channels = groups * size, row = blockIdx.x * channels;
    for (int i = threadIdx.x; i < channels; i += blockDim.x) y[row + i % groups * size + i / groups] = i;
}

// [boundary] One more.
//~ race
__global__ void shuffled_row_bad(int *y, int groups, int size)
{
    int channels = groups * size, row = blockIdx.x * channels;
    for (int i = threadIdx.x; i <= channels; i += blockDim.x)
        y[row + i % groups * size + i / groups] = i; //~ here
}

// [index] Taken apart by the one, put together by the other.
//~ race
__global__ void shuffled_row_sizes_bad(int *y, int groups, int size)
{
    int channels = groups * size, row = blockIdx.x * channels;
    for (int i = threadIdx.x; i < channels; i += blockDim.x)
        y[row + i % size * size + i / groups] = i; //~ here
}
