//--blockDim=64 --gridDim=8
// Places that are no sums of strides, in blocks of constant size: all threads can be tried.

// Bits of the thread's index change places: each thread has its own byte of each of 64 rows, whatever is counted.
//~ race-free
__global__ void tried_bits_ok(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned char hist[64 * 64];
    unsigned t = threadIdx.x;
    unsigned own = (t & ~63u) | ((t & 15) << 2) | ((t & 48) >> 4);
    for (int i = 0; i < 16; i++) ((unsigned *)hist)[t + i * 64] = 0;
    __syncthreads();
    for (int i = 0; i < n; i++) hist[own + 64 * (in[i * 64 + t] & 63)]++;
    __syncthreads();
    unsigned sum = 0;
    for (int i = 0; i < 64; i++) sum += hist[t * 64 + i];
    out[blockIdx.x * 64 + t] = sum;
}

// A bit less is kept: threads 0 and 32 have one byte.
//~ race
__global__ void tried_bits_bad(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned char hist[64 * 64];
    unsigned t = threadIdx.x;
    unsigned own = (t & ~63u) | ((t & 15) << 2) | ((t & 16) >> 4);
    for (int i = 0; i < 16; i++) ((unsigned *)hist)[t + i * 64] = 0;
    __syncthreads();
    for (int i = 0; i < n; i++) hist[own + 64 * (in[i * 64 + t] & 63)]++; //~ here
    __syncthreads();
    unsigned sum = 0;
    for (int i = 0; i < 64; i++) sum += hist[t * 64 + i];
    out[blockIdx.x * 64 + t] = sum;
}

// The rows are only 32 bytes apart: those of other threads lie between.
//~ race
__global__ void tried_rows_bad(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned char hist[64 * 64];
    unsigned t = threadIdx.x;
    unsigned own = ((t & 15) << 2) | ((t & 48) >> 4);
    for (int i = 0; i < n; i++) hist[own + 32 * (in[i * 64 + t] & 63)]++; //~ here
    out[blockIdx.x * 64 + t] = hist[own];
}

// A swizzle of columns by rows, as against bank conflicts: 8 x 8 in shared memory, written by rows and read by columns.
//~ race-free
__global__ void tried_swizzle_ok(const int *in, int *out)
{
    __shared__ int tile[64];
    int row = threadIdx.x / 8, column = threadIdx.x % 8;
    tile[row * 8 + (column ^ row)] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = tile[column * 8 + (row ^ column)];
}

// The rotation keeps to 6 columns: two threads of a row meet.
//~ race
__global__ void tried_rotated_bad(const int *in, int *out)
{
    __shared__ int tile[64];
    int row = threadIdx.x / 8, column = threadIdx.x % 8;
    tile[row * 8 + (column + row) % 6] = in[blockIdx.x * 64 + threadIdx.x]; //~ here
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
}

// The permutation of a Galois register: 5 t + 3 modulo 64.
//~ race-free
__global__ void tried_permuted_ok(const int *in, int *out)
{
    __shared__ int s[64];
    s[(5 * threadIdx.x + 3) % 64] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

// 6 is even: half of the places are met twice.
//~ race
__global__ void tried_permuted_bad(const int *in, int *out)
{
    __shared__ int s[64];
    s[(6 * threadIdx.x + 3) % 64] = in[blockIdx.x * 64 + threadIdx.x]; //~ here
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

// A sorting network of 128 elements: the pairs of each step are apart.
//~ race-free
__global__ void tried_network_ok(int *data)
{
    __shared__ int s[128];
    unsigned t = threadIdx.x;
    s[t] = data[blockIdx.x * 128 + t];
    s[t + 64] = data[blockIdx.x * 128 + t + 64];
    for (unsigned size = 2; size <= 128; size <<= 1) {
        bool up = (t & (size / 2)) == 0;
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned low = (t / stride) * stride * 2 + t % stride;
            int a = s[low], b = s[low + stride];
            if ((a > b) == up) {
                s[low] = b;
                s[low + stride] = a;
            }
        }
    }
    __syncthreads();
    data[blockIdx.x * 128 + t] = s[t];
    data[blockIdx.x * 128 + t + 64] = s[t + 64];
}

// The barrier stands around the inner loop only: steps of different strides meet.
//~ race
__global__ void tried_network_bad(int *data)
{
    __shared__ int s[128];
    unsigned t = threadIdx.x;
    s[t] = data[blockIdx.x * 128 + t];
    s[t + 64] = data[blockIdx.x * 128 + t + 64];
    for (unsigned size = 2; size <= 128; size <<= 1) {
        bool up = (t & (size / 2)) == 0;
        __syncthreads();
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            unsigned low = (t / stride) * stride * 2 + t % stride;
            int a = s[low], b = s[low + stride]; //~ here
            if ((a > b) == up) {
                s[low] = b; //~ here
                s[low + stride] = a; //~ here
            }
        }
    }
    __syncthreads();
    data[blockIdx.x * 128 + t] = s[t];
    data[blockIdx.x * 128 + t + 64] = s[t + 64];
}

// Bits in reverse order, as before a transform of Fourier.
//~ race-free
__global__ void tried_reversed_ok(const float *in, float *out)
{
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    unsigned place = 0;
    for (int i = 0; i < 6; i++) place |= ((t >> i) & 1) << (5 - i);
    s[place] = in[blockIdx.x * 64 + t];
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[t];
}

// Only half of the threads, and pairs of them: the guard is needed.
//~ race-free
__global__ void tried_guarded_ok(int *out)
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if ((t * 7 & 63) < 32) s[t * 7 & 31] = t;
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[t];
}

// Without the guard two threads have each place.
//~ race
__global__ void tried_unguarded_bad(int *out, int n)
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if ((int)t < n) s[t * 7 & 31] = t; //~ here
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[t];
}

// Bytes are apart, words are not: the access is wider than the distance.
//~ race
__global__ void tried_wide_bad(int *out)
{
    __shared__ char s[256];
    unsigned t = threadIdx.x;
    *(short *)(s + ((t * 37) & 63)) = t; //~ here
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[t];
}

// Each warp by itself, without a barrier of the block: places of one warp are apart, those of two are not.
//~ race
__global__ void tried_warps_bad(int *out)
{
    __shared__ int s[32];
    unsigned t = threadIdx.x;
    s[(t * 5) & 31] = t; //~ here
    __syncwarp();
    out[blockIdx.x * 64 + t] = s[t & 31]; //~ here
}
