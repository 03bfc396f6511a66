// Tree reduction, version 1: consecutive threads, strided elements (index = 2 * s * tid).
// No launch is stated: the labels hold for every block and grid size.

// The written elements are multiples of 2 * s, the foreign element read is s beyond one.
//~ race-free
__global__ void reduce1_strided_ok(const int *in, int *out)
{
    extern __shared__ int sum1[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum1[tid] = in[i];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        unsigned int index = 2 * s * tid;
        if (index < blockDim.x) {
            sum1[index] += sum1[index + s];
        }
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sum1[0];
}

// The stride lacks its factor 2: thread t reads element (t + 1) * s, which thread t + 1 writes
// in the same level.
//~ race
__global__ void reduce1_strided_factor_bad(const int *in, int *out)
{
    extern __shared__ int sum1b[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum1b[tid] = in[i];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        unsigned int index = s * tid;
        if (index < blockDim.x) {
            sum1b[index] += sum1b[index + s]; //~ here
        }
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sum1b[0];
}
