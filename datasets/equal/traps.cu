// Pairs that differ although they look equal: wraps, signs, borders, order.
//= different hash_narrow_ok hash_wide_ok
//= different window_signed_ok window_unsigned_ok
//= different halves_signed_ok halves_shift_ok
//= different last_writer_first_ok last_writer_second_ok
//= different until_zero_ok where_not_zero_ok
//= different narrow_store_ok wide_store_ok
//= different shifted_in_block_ok shifted_in_grid_ok
//= different word_of_first_ok word_of_second_ok

// A product modulo 2^32.
//~ race-free
__global__ void hash_narrow_ok(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (i * 2654435761u) >> 16;
}

// A product that does not wrap.
//~ race-free
__global__ void hash_wide_ok(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (unsigned)((i * 2654435761ull) >> 16);
}

// Elements from the first on.
//~ race-free
__global__ void window_signed_ok(int *out, int n, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i - first < n)
        out[i] = 1;
}

// None before the first.
//~ race-free
__global__ void window_unsigned_ok(int *out, int n, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((unsigned)(i - first) < (unsigned)n)
        out[i] = 1;
}

// Towards zero.
//~ race-free
__global__ void halves_signed_ok(int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] / 2;
}

// Downwards.
//~ race-free
__global__ void halves_shift_ok(int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] >> 1;
}

// The even one last.
//~ race-free
__global__ void last_writer_first_ok(int *out)
{
    int t = threadIdx.x, at = blockIdx.x * blockDim.x + t / 2;
    if (t % 2 == 1)
        out[at] = 1;
    __syncthreads();
    if (t % 2 == 0)
        out[at] = 2;
}

// The odd one last.
//~ race-free
__global__ void last_writer_second_ok(int *out)
{
    int t = threadIdx.x, at = blockIdx.x * blockDim.x + t / 2;
    if (t % 2 == 0)
        out[at] = 2;
    __syncthreads();
    if (t % 2 == 1)
        out[at] = 1;
}

// Up to the first zero.
//~ race-free
__global__ void until_zero_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < n && in[k] != 0; k++)
        sum += in[k];
    out[i] = sum;
}

// All that are not zero.
//~ race-free
__global__ void where_not_zero_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < n; k++)
        if (in[k] != 0)
            sum += in[k];
    out[i] = sum;
}

// By way of a byte.
//~ race-free
__global__ void narrow_store_ok(int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (unsigned char)(in[i] + 1);
}

// By way of an int.
//~ race-free
__global__ void wide_store_ok(int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}

// The neighbour in the block.
//~ race-free
__global__ void shifted_in_block_ok(int *out, const int *in)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = s[(t + 1) % blockDim.x];
}

// The neighbour in the grid.
//~ race-free
__global__ void shifted_in_grid_ok(int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1];
}

// What the first thread stored, as if nobody else had come.
//~ race-free
__global__ void word_of_first_ok(int *out)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
}

// The second thread stores behind the first.
//~ race-free
__global__ void word_of_second_ok(int *out)
{
    __shared__ int word;
    if (threadIdx.x == 0)
        word = 1;
    __syncthreads();
    if (threadIdx.x == 1)
        word = 2;
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = word;
}
