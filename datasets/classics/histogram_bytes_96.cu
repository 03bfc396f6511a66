//--blockDim=96 --gridDim=4
// The byte counters with a block that is not a multiple of 64.

// The positions of threads 64 to 95 reach 125, beyond the row of 96: counter (125, bin 0) is counter
// (29, bin 1), which thread 23 owns.
//~ race
__global__ void histogram_bytes_96_bad(const unsigned char *data, unsigned int *partial, int n)
{
    __shared__ unsigned char counter3[64 * 96 + 32];
    int tid = threadIdx.x;
    int pos = (tid & ~63) | ((tid & 15) << 2) | ((tid & 48) >> 4);
    for (int b = 0; b < 64; b++) counter3[pos + b * 96] = 0; //~ here
    for (int i = blockIdx.x * 96 + tid; i < n; i += 96 * gridDim.x) {
        int bin = data[i] >> 2;
        counter3[pos + bin * 96] += 1; //~ here
    }
    __syncthreads();
    if (tid < 64) {
        unsigned int sum = 0;
        for (int j = 0; j < 96; j++) sum += counter3[tid * 96 + j];
        partial[blockIdx.x * 64 + tid] = sum;
    }
}

// Without the permutation the thread id itself is the column, for any block size.
//~ race-free
__global__ void histogram_bytes_96_plain_ok(const unsigned char *data, unsigned int *partial, int n)
{
    __shared__ unsigned char counter4[64 * 96];
    int tid = threadIdx.x;
    for (int b = 0; b < 64; b++) counter4[tid + b * 96] = 0;
    for (int i = blockIdx.x * 96 + tid; i < n; i += 96 * gridDim.x) {
        int bin = data[i] >> 2;
        counter4[tid + bin * 96] += 1;
    }
    __syncthreads();
    if (tid < 64) {
        unsigned int sum = 0;
        for (int j = 0; j < 96; j++) sum += counter4[tid * 96 + j];
        partial[blockIdx.x * 64 + tid] = sum;
    }
}
