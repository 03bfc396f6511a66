//--blockDim=256 --gridDim=131072
// Grids of more blocks than are run with numbers: the first blocks alone tell what is different.
//= equal wide_square_ok wide_product_ok wide_mirrored_ok
//= different wide_square_ok wide_cube_ok wide_next_ok
//= different wide_neighbours_ok wide_short_ok
//= equal wide_counted_ok wide_counted_again_ok

// A thread for each element.
//~ race-free
__global__ void wide_square_ok(int *out, const int *in)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i] * in[i];
}

// By a variable.
//~ race-free
__global__ void wide_product_ok(int *out, const int *in)
{
    int i = blockIdx.x * 256 + threadIdx.x, own = in[i];
    own *= own;
    out[i] = own;
}

// From the last element to the first: the first blocks write what the last ones of the others write.
//~ race-free
__global__ void wide_mirrored_ok(int *out, const int *in)
{
    int i = 131072 * 256 - 1 - (int)(blockIdx.x * 256 + threadIdx.x);
    out[i] = in[i] * in[i];
}

// Once more than the square.
//~ race-free
__global__ void wide_cube_ok(int *out, const int *in)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i] * in[i] * in[i];
}

// The next element.
//~ race-free
__global__ void wide_next_ok(int *out, const int *in)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i] * in[i + 1];
}

// A sum for each block.
//~ race-free
__global__ void wide_neighbours_ok(int *out, const int *in)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// The last step is missing.
//~ race-free
__global__ void wide_short_ok(int *out, const int *in)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 128; k > 1; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// All blocks count in one element.
//~ race-free
__global__ void wide_counted_ok(int *out)
{
    if (threadIdx.x == 0)
        atomicAdd(&out[0], blockIdx.x < 65536 ? 1 : 3);
}

// The same in the other order: the first blocks alone would leave something else.
//~ race-free
__global__ void wide_counted_again_ok(int *out)
{
    if (threadIdx.x == 0)
        atomicAdd(&out[0], blockIdx.x < 65536 ? 3 : 1);
}
