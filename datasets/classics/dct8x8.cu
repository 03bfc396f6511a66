//--blockDim=[8,8] --gridDim=[4,4] -DPITCH=32
// Cosine transform of 8 x 8 pixel blocks, rows then columns.
__constant__ float basis[64];

// Three phases (load, rows, columns) with barriers in between; the row products go to a second tile.
//~ race-free
__global__ void dct_block_ok(const float *image, float *coefficient)
{
    __shared__ float pixel[8][8];
    __shared__ float half[8][8];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int at = (blockIdx.y * 8 + ty) * PITCH + blockIdx.x * 8 + tx;
    pixel[ty][tx] = image[at];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += pixel[ty][k] * basis[tx * 8 + k];
    half[ty][tx] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += half[k][tx] * basis[ty * 8 + k];
    coefficient[at] = sum;
}

// Row products are put back into the tile while other threads of the row still read it.
//~ race
__global__ void dct_block_in_place_bad(const float *image, float *coefficient)
{
    __shared__ float pixel2[8][8];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int at = (blockIdx.y * 8 + ty) * PITCH + blockIdx.x * 8 + tx;
    pixel2[ty][tx] = image[at];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += pixel2[ty][k] * basis[tx * 8 + k]; //~ here
    pixel2[ty][tx] = sum; //~ here
    __syncthreads();
    sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += pixel2[k][tx] * basis[ty * 8 + k];
    coefficient[at] = sum;
}

// The barrier between rows and columns is missing: a column is summed from unfinished rows.
//~ race
__global__ void dct_block_columns_bad(const float *image, float *coefficient)
{
    __shared__ float pixel3[8][8];
    __shared__ float half3[8][8];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int at = (blockIdx.y * 8 + ty) * PITCH + blockIdx.x * 8 + tx;
    pixel3[ty][tx] = image[at];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += pixel3[ty][k] * basis[tx * 8 + k];
    half3[ty][tx] = sum; //~ here
    sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += half3[k][tx] * basis[ty * 8 + k]; //~ here
    coefficient[at] = sum;
}
