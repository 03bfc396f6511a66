// Tree reduction, version 3: the first addition happens while loading from global memory.
// No launch is stated: the labels hold for every block and grid size.

// Global memory is only read, but for one element per block, written by its thread 0.
//~ race-free
__global__ void reduce3_first_add_ok(const int *in, int *out, int n)
{
    extern __shared__ int sum3[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    int mine = 0;
    if (i < n) mine = in[i];
    if (i + (int)blockDim.x < n) mine += in[i + blockDim.x];
    sum3[tid] = mine;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            mine = mine + sum3[tid + s];
            sum3[tid] = mine;
        }
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = mine;
}

// The result element does not depend on the block, so all blocks write the same one.
//~ race
__global__ void reduce3_first_add_result_bad(const int *in, int *out, int n)
{
    extern __shared__ int sum3b[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    int mine = 0;
    if (i < n) mine = in[i];
    if (i + (int)blockDim.x < n) mine += in[i + blockDim.x];
    sum3b[tid] = mine;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            mine = mine + sum3b[tid + s];
            sum3b[tid] = mine;
        }
        __syncthreads();
    }
    if (tid == 0) out[0] = mine; //~ here
}

// Reduced in place: block b stores its sum to in[b] while block 0 (or any block whose stretch
// contains b) may still be loading that element.
//~ race
__global__ void reduce3_first_add_in_place_bad(int *data, int n)
{
    extern __shared__ int sum3c[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    int mine = 0;
    if (i < n) mine = data[i]; //~ here
    if (i + (int)blockDim.x < n) mine += data[i + blockDim.x]; //~ here
    sum3c[tid] = mine;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            mine = mine + sum3c[tid + s];
            sum3c[tid] = mine;
        }
        __syncthreads();
    }
    if (tid == 0) data[blockIdx.x] = mine; //~ here
}
