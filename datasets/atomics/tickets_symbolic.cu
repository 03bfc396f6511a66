// Tickets of grids whose size is not known.
__device__ unsigned int drawn = 0;

// As in CUDA's programming guide: partial sums by thread 0, fenced, then the ticket.
//~ race-free
__global__ void ticket_any_grid_ok(const float *in, float *part, float *out)
{
    __shared__ bool last;
    float sum = 0.0f;
    if (threadIdx.x == 0) {
        for (int i = blockIdx.x; i < 1024; i += gridDim.x) sum += in[i];
        part[blockIdx.x] = sum;
        __threadfence();
        unsigned int mine = atomicInc(&drawn, gridDim.x);
        last = (mine == gridDim.x - 1);
    }
    __syncthreads();
    if (last) {
        float total = 0.0f;
        if (threadIdx.x == 0) {
            for (int i = 0; i < gridDim.x; i++) total += part[i];
            out[0] = total;
            drawn = 0;
        }
    }
}

// Where there is but one block, no ticket is drawn.
//~ race-free
__global__ void ticket_if_several_ok(float *part, float *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) part[blockIdx.x] = 1.0f;
    if (gridDim.x > 1) {
        __threadfence();
        if (threadIdx.x == 0) last = atomicAdd(&drawn, 1u) == gridDim.x - 1;
        __syncthreads();
        if (last && threadIdx.x == 0) {
            float total = 0.0f;
            for (int i = 0; i < gridDim.x; i++) total += part[i];
            part[0] = total;
            drawn = 0;
        }
    }
}

// [counter] The number that is compared is a parameter: nothing says that it is that of the blocks.
//~ race
__global__ void ticket_parameter_bad(float *part, float *out, int blocks)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = 1.0f; //~ here
        __threadfence();
        last = atomicAdd(&drawn, 1u) == blocks - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0.0f;
        for (int i = 0; i < gridDim.x; i++) total += part[i]; //~ here
        out[0] = total;
    }
}

// [counter] Compared with the columns of a grid that has rows, too.
//~ race
__global__ void ticket_rows_bad(float *part, float *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.y * gridDim.x + blockIdx.x] = 1.0f; //~ here
        __threadfence();
        last = atomicAdd(&drawn, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0.0f;
        for (int i = 0; i < gridDim.x * gridDim.y; i++) total += part[i]; //~ here
        out[0] = total;
    }
}

// [counter] In a block with rows, the first thread of each row draws.
//~ race
__global__ void ticket_row_each_bad(float *part, float *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0 && threadIdx.y == 0) last = false;
    __syncthreads();
    if (threadIdx.x == 0) {
        part[blockIdx.x * blockDim.y + threadIdx.y] = 1.0f; //~ here
        __threadfence();
        if (atomicAdd(&drawn, 1u) == gridDim.x - 1) last = true;
    }
    __syncthreads();
    if (last && threadIdx.x == 0 && threadIdx.y == 0) {
        float total = 0.0f;
        for (int i = 0; i < gridDim.x * blockDim.y; i++) total += part[i]; //~ here
        out[0] = total;
    }
}
