// Construct: loops over the grid whose sizes host code computes as signed numbers

#define STRIDE_THREADS 256

// A launch has at least one block, so the counter rises: however the number of blocks is computed, no two of them meet.
//~ race-free
__global__ void stride_blocks_ok(unsigned *out, const unsigned *in, int pieces)
{
    for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        int const i = threadIdx.x + piece * STRIDE_THREADS;
        out[i] = in[i] + piece;
    }
}

// [stride] One block less than there are: the last block begins where the first goes on.
//~ race
__global__ void stride_blocks_bad(unsigned *out, const unsigned *in, int pieces)
{
    for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x - 1) {
        int const i = threadIdx.x + piece * STRIDE_THREADS;
        out[i] = in[i] + blockIdx.x; //~ here
    }
}

//~ race-free
__global__ void stride_unsigned_ok(unsigned *out, const unsigned *in, unsigned pieces)
{
    for (unsigned piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        unsigned const i = threadIdx.x + piece * STRIDE_THREADS;
        out[i] = in[i] + piece;
    }
}

// What is written is computed in barrier loops: the solver has no time for each of its intervals.
//~ race-free
__global__ void stride_packed_ok(unsigned *out, const unsigned *in, const unsigned long *count, const unsigned char *width)
{
    __shared__ unsigned buffer[STRIDE_THREADS];
    unsigned long const num = *count;
    int const bits = *width;
    int const pieces = (int)(num / STRIDE_THREADS + (num % STRIDE_THREADS > 0));
    for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        int const i = threadIdx.x + piece * STRIDE_THREADS;
        unsigned long const start = i * 32ul;
        int const first = (int)(start / bits < num ? start / bits : num);
        int const last = (int)((start + 32) / bits < num ? (start + 32) / bits : num);
        int const begin = piece * STRIDE_THREADS;
        unsigned sum = 0;
        for (int from = begin; from < (int)num; from += STRIDE_THREADS) {
            __syncthreads();
            if (from + threadIdx.x < num) buffer[threadIdx.x] = in[from + threadIdx.x];
            __syncthreads();
            int const low = first > from ? first : from;
            int const high = last < from + STRIDE_THREADS ? last : from + STRIDE_THREADS;
            for (int k = low; k < high; k++) {
                int const shift = (int)(k * (long)bits - (long)start);
                sum |= shift > 0 ? buffer[k - from] << shift : buffer[k - from] >> -shift;
            }
        }
        if (first < num) out[i] = sum;
    }
}

// [stride] A number of the launch that is no size of it may be negative, and then the counter falls: with `back` = -1 block 1
// goes where block 0 was.
//~ race
__global__ void stride_given_bad(unsigned *out, const unsigned *in, int back)
{
    for (int piece = blockIdx.x; piece >= 0 && piece < 8; piece += back) {
        out[threadIdx.x + piece * STRIDE_THREADS] = in[0] + blockIdx.x; //~ here
    }
}

void stride_run(unsigned *out, const unsigned *in, const unsigned long *count, const unsigned char *width, unsigned long most, int blocks)
{
    int const pieces = (int)(most / STRIDE_THREADS + (most % STRIDE_THREADS > 0));
    stride_blocks_ok<<<blocks, STRIDE_THREADS>>>(out, in, pieces);
    stride_blocks_ok<<<pieces < 4096 ? pieces : 4096, STRIDE_THREADS>>>(out, in, pieces);
    if (blocks > 1) stride_blocks_bad<<<blocks, STRIDE_THREADS>>>(out, in, pieces);
    stride_unsigned_ok<<<blocks, STRIDE_THREADS>>>(out, in, pieces);
    stride_packed_ok<<<pieces < 4096 ? pieces : 4096, STRIDE_THREADS>>>(out, in, count, width);
    stride_given_bad<<<blocks, STRIDE_THREADS>>>(out, in, blocks - 3);
}
