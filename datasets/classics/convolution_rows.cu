//--blockDim=[16,4] --gridDim=[2,8] -DSTEPS=4 -DRADIUS=8
// Separable convolution, horizontal pass: each thread handles STEPS pixels of a row, and the block
// loads one step more at either side as a halo.
__constant__ float row_tap[2 * RADIUS + 1];

// Halo, body and halo are filled at distinct columns, one barrier, then only reads.
//~ race-free
__global__ void convolution_rows_ok(const float *in, float *out, int pitch)
{
    __shared__ float line[4][(STEPS + 2) * 16];
    int x0 = (blockIdx.x * STEPS - 1) * 16 + threadIdx.x;
    int y = blockIdx.y * 4 + threadIdx.y;
    for (int i = 0; i < STEPS + 2; i++) {
        int x = x0 + i * 16;
        line[threadIdx.y][threadIdx.x + i * 16] = (x >= 0 && x < pitch) ? in[y * pitch + x] : 0.0f;
    }
    __syncthreads();
    for (int i = 1; i <= STEPS; i++) {
        int x = x0 + i * 16;
        float sum = 0.0f;
        for (int j = -RADIUS; j <= RADIUS; j++) {
            sum += row_tap[RADIUS - j] * line[threadIdx.y][threadIdx.x + i * 16 + j];
        }
        if (x < pitch) out[y * pitch + x] = sum;
    }
}

// The columns of a step are 8 apart, not 16: the upper half of one step is the lower half of the
// next, stored there by other threads.
//~ race
__global__ void convolution_rows_step_bad(const float *in, float *out, int pitch)
{
    __shared__ float line2[4][(STEPS + 2) * 16];
    int x0 = (blockIdx.x * STEPS - 1) * 16 + threadIdx.x;
    int y = blockIdx.y * 4 + threadIdx.y;
    for (int i = 0; i < STEPS + 2; i++) {
        int x = x0 + i * 16;
        line2[threadIdx.y][threadIdx.x + i * 8] = (x >= 0 && x < pitch) ? in[y * pitch + x] : 0.0f; //~ here
    }
    __syncthreads();
    for (int i = 1; i <= STEPS; i++) {
        int x = x0 + i * 16;
        float sum = 0.0f;
        for (int j = -RADIUS; j <= RADIUS; j++) {
            sum += row_tap[RADIUS - j] * line2[threadIdx.y][threadIdx.x + i * 8 + j];
        }
        if (x < pitch) out[y * pitch + x] = sum;
    }
}

// No barrier: the taps reach into columns that other threads have not filled yet.
//~ race
__global__ void convolution_rows_barrier_bad(const float *in, float *out, int pitch)
{
    __shared__ float line3[4][(STEPS + 2) * 16];
    int x0 = (blockIdx.x * STEPS - 1) * 16 + threadIdx.x;
    int y = blockIdx.y * 4 + threadIdx.y;
    for (int i = 0; i < STEPS + 2; i++) {
        int x = x0 + i * 16;
        line3[threadIdx.y][threadIdx.x + i * 16] = (x >= 0 && x < pitch) ? in[y * pitch + x] : 0.0f; //~ here
    }
    for (int i = 1; i <= STEPS; i++) {
        int x = x0 + i * 16;
        float sum = 0.0f;
        for (int j = -RADIUS; j <= RADIUS; j++) {
            sum += row_tap[RADIUS - j] * line3[threadIdx.y][threadIdx.x + i * 16 + j]; //~ here
        }
        if (x < pitch) out[y * pitch + x] = sum;
    }
}
