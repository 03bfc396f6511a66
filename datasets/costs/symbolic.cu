// Strides and sizes that are open: what a request takes depends on them.

// As the common divisor of the width with 32.
//~ race-free
__global__ void cost_open_width_bad(float *out, int width)
{
    extern __shared__ float s[];
    float v = s[threadIdx.x * width];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// An odd width is free of conflicts.
//~ race-free
__global__ void cost_odd_width_ok(float *out, int half)
{
    extern __shared__ float s[];
    float v = s[threadIdx.x * (2 * half + 1)];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// An even width is never.
//~ race-free
__global__ void cost_even_width_bad(float *out, int half)
{
    extern __shared__ float s[];
    float v = s[threadIdx.x * (2 * half)];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// The width moves all lanes alike.
//~ race-free
__global__ void cost_open_row_ok(float *out, int row, int width)
{
    extern __shared__ float s[];
    float v = s[row * width + threadIdx.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// A row of the matrix a lane.
//~ race-free
__global__ void cost_open_rows_bad(float *out, const float *in, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = 0; k < columns; k++) v += in[i * columns + k];
    out[i] = v;
}

// Where a lane goes comes from memory: nothing can be told.
//~ race-free
__global__ void cost_from_memory_ok(int *out, const int *index)
{
    __shared__ int s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&s[index[i] & 255], 1);
}

// A row from memory, a column of the lane: whatever the row, each lane has its bank.
//~ race-free
__global__ void cost_row_from_memory_ok(float *out, const int *index)
{
    __shared__ float s[64][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = s[index[i] & 63][threadIdx.x % 32];
    out[i] = v;
}

// Each lane starts a row of the block apart.
//~ race-free
__global__ void cost_open_block_bad(float *out)
{
    extern __shared__ float s[];
    float v = s[threadIdx.x * blockDim.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
