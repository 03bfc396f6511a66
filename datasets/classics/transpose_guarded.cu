// Transpose with the sizes as parameters, for a matrix of any shape under a grid of any shape. No
// launch is stated: the labels hold for every block and grid size.

// The guards make column < width and row < height, and column * height + row is then one-to-one.
//~ race-free
__global__ void transpose_guarded_ok(const float *in, float *out, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {
        out[column * height + row] = in[row * width + column];
    }
}

// The row is compared with the width: with more columns than rows two threads share an element.
//~ race
__global__ void transpose_guarded_bad(const float *in, float *out, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < width) {
        out[column * height + row] = in[row * width + column]; //~ here
    }
}
