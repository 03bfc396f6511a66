//--blockDim=[16,8] --gridDim=[4,2] -DSTEPS=4 -DRADIUS=8
// Separable convolution, vertical pass: the tile is stored column by column, with a padding word.
__constant__ float column_tap[2 * RADIUS + 1];

// Thread (x, y) fills rows y, y + 8, y + 16, … of its column x.
//~ race-free
__global__ void convolution_columns_ok(const float *in, float *out, int pitch, int height)
{
    __shared__ float column[16][(STEPS + 2) * 8 + 1];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y0 = (blockIdx.y * STEPS - 1) * 8 + threadIdx.y;
    for (int i = 0; i < STEPS + 2; i++) {
        int y = y0 + i * 8;
        column[threadIdx.x][threadIdx.y + i * 8] = (y >= 0 && y < height && x < pitch) ? in[y * pitch + x] : 0.0f;
    }
    __syncthreads();
    for (int i = 1; i <= STEPS; i++) {
        int y = y0 + i * 8;
        float sum = 0.0f;
        for (int j = -RADIUS; j <= RADIUS; j++) {
            sum += column_tap[RADIUS - j] * column[threadIdx.x][threadIdx.y + i * 8 + j];
        }
        if (y < height && x < pitch) out[y * pitch + x] = sum;
    }
}

// Convolved in place in global memory: the halo of one block is the body of the block above.
//~ race
__global__ void convolution_columns_in_place_bad(float *image, int pitch, int height)
{
    __shared__ float column2[16][(STEPS + 2) * 8 + 1];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y0 = (blockIdx.y * STEPS - 1) * 8 + threadIdx.y;
    for (int i = 0; i < STEPS + 2; i++) {
        int y = y0 + i * 8;
        column2[threadIdx.x][threadIdx.y + i * 8] = (y >= 0 && y < height && x < pitch) ? image[y * pitch + x] : 0.0f; //~ here
    }
    __syncthreads();
    for (int i = 1; i <= STEPS; i++) {
        int y = y0 + i * 8;
        float sum = 0.0f;
        for (int j = -RADIUS; j <= RADIUS; j++) {
            sum += column_tap[RADIUS - j] * column2[threadIdx.x][threadIdx.y + i * 8 + j];
        }
        if (y < height && x < pitch) image[y * pitch + x] = sum; //~ here
    }
}

// The barrier is inside the loop over the output rows, under the guard of the last rows.
//~ divergence
__global__ void convolution_columns_guard_bad(const float *in, float *out, int pitch, int height)
{
    __shared__ float own[8][16];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y0 = (blockIdx.y * STEPS - 1) * 8 + threadIdx.y;
    for (int i = 1; i <= STEPS; i++) {
        int y = y0 + i * 8;
        if (y < height && x < pitch) {
            own[threadIdx.y][threadIdx.x] = in[y * pitch + x];
            __syncthreads(); //~ here
            out[y * pitch + x] = 2.0f * own[threadIdx.y][threadIdx.x];
        }
    }
}
