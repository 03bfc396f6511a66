// Tree reduction, version 5: completely unrolled for a block size known at compile time.
// The launches at the end instantiate the templates.

// Dead steps vanish with the template value, the tail reads, synchronises the warp and writes.
//~ race-free
template <unsigned int blockSize>
__global__ void reduce5_unrolled_ok(const int *in, int *out)
{
    __shared__ int sum5[512];
    unsigned int tid = threadIdx.x;
    sum5[tid] = in[blockIdx.x * blockSize + tid];
    __syncthreads();
    if (blockSize >= 512) {
        if (tid < 256) sum5[tid] += sum5[tid + 256];
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128) sum5[tid] += sum5[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64) sum5[tid] += sum5[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        if (blockSize >= 64) {
            sum5[tid] += sum5[tid + 32];
            __syncwarp();
        }
        for (unsigned int s = 16; s > 0; s >>= 1) {
            if (tid < s) sum5[tid] += sum5[tid + s];
            __syncwarp();
        }
    }
    if (tid == 0) out[blockIdx.x] = sum5[0];
}

// The barrier of the step from 256 to 128 is missing: thread 0 adds element 64 while thread 64
// is still adding element 192 to it.
//~ race
template <unsigned int blockSize>
__global__ void reduce5_unrolled_step_bad(const int *in, int *out)
{
    __shared__ int sum5b[512];
    unsigned int tid = threadIdx.x;
    sum5b[tid] = in[blockIdx.x * blockSize + tid];
    __syncthreads();
    if (blockSize >= 512) {
        if (tid < 256) sum5b[tid] += sum5b[tid + 256];
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128) sum5b[tid] += sum5b[tid + 128]; //~ here
    }
    if (blockSize >= 128) {
        if (tid < 64) sum5b[tid] += sum5b[tid + 64]; //~ here
        __syncthreads();
    }
    if (tid < 32) {
        if (blockSize >= 64) {
            sum5b[tid] += sum5b[tid + 32];
            __syncwarp();
        }
        for (unsigned int s = 16; s > 0; s >>= 1) {
            if (tid < s) sum5b[tid] += sum5b[tid + s];
            __syncwarp();
        }
    }
    if (tid == 0) out[blockIdx.x] = sum5b[0];
}

int main()
{
    int *in;
    int *out;
    cudaMalloc(&in, 4 * 256 * sizeof(int));
    cudaMalloc(&out, 4 * sizeof(int));
    reduce5_unrolled_ok<256><<<4, 256>>>(in, out);
    reduce5_unrolled_ok<128><<<8, 128>>>(in, out);
    reduce5_unrolled_step_bad<256><<<4, 256>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
