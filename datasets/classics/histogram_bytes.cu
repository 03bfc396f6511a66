//--blockDim=128 --gridDim=4
// Histogram of 64 bins with one byte counter per thread and bin; the bits of the thread id are
// permuted so that four neighbours share no bank.

// (tid & ~63) | (tid & 15) << 2 | (tid & 48) >> 4 permutes each group of 64 threads: with a block
// that is a multiple of 64 every thread owns one column of counters.
//~ race-free
__global__ void histogram_bytes_ok(const unsigned char *data, unsigned int *partial, int n)
{
    __shared__ unsigned char counter[64 * 128];
    int tid = threadIdx.x;
    int pos = (tid & ~63) | ((tid & 15) << 2) | ((tid & 48) >> 4);
    for (int b = 0; b < 64; b++) counter[pos + b * 128] = 0;
    for (int i = blockIdx.x * 128 + tid; i < n; i += 128 * gridDim.x) {
        int bin = data[i] >> 2;
        counter[pos + bin * 128] += 1;
    }
    __syncthreads();
    if (tid < 64) {
        unsigned int sum = 0;
        for (int j = 0; j < 128; j++) sum += counter[tid * 128 + j];
        partial[blockIdx.x * 64 + tid] = sum;
    }
}

// The permutation forgets two bits of the position: four threads share a column of counters.
//~ race
__global__ void histogram_bytes_lost_bits_bad(const unsigned char *data, unsigned int *partial, int n)
{
    __shared__ unsigned char counter2[64 * 128];
    int tid = threadIdx.x;
    int pos = (tid & ~63) | ((tid & 15) << 2);
    for (int b = 0; b < 64; b++) counter2[pos + b * 128] = 0; //~ here
    for (int i = blockIdx.x * 128 + tid; i < n; i += 128 * gridDim.x) {
        int bin = data[i] >> 2;
        counter2[pos + bin * 128] += 1; //~ here
    }
    __syncthreads();
    if (tid < 64) {
        unsigned int sum = 0;
        for (int j = 0; j < 128; j++) sum += counter2[tid * 128 + j];
        partial[blockIdx.x * 64 + tid] = sum;
    }
}
