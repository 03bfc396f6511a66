//--blockDim=64
// Averages of neighbours, from global memory and from a tile with its halo.
//= equal stencil_plain_ok stencil_tile_ok stencil_tile_words_ok stencil_locals_ok
//= different stencil_plain_ok stencil_left_ok stencil_border_ok stencil_halo_ok stencil_weights_ok stencil_block_ok
//= different stencil_tile_ok stencil_left_ok stencil_border_ok stencil_halo_ok stencil_weights_ok stencil_block_ok
//= different stencil_locals_ok stencil_left_ok stencil_border_ok stencil_halo_ok stencil_weights_ok stencil_block_ok

// The specification.
//~ race-free
__global__ void stencil_plain_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

// By a tile.
//~ race-free
__global__ void stencil_tile_ok(float *out, const float *in, int n)
{
    __shared__ float s[66];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i < n)
        s[t + 1] = in[i];
    if (t == 0 && i > 0 && i < n)
        s[0] = in[i - 1];
    if (t == 63 && i + 1 < n)
        s[65] = in[i + 1];
    __syncthreads();
    if (i > 0 && i < n - 1)
        out[i] = 0.25f * s[t] + 0.5f * s[t + 1] + 0.25f * s[t + 2];
}

// By a tile, with other words.
//~ race-free
__global__ void stencil_tile_words_ok(float *out, const float *in, int n)
{
    __shared__ float s[66];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i < n)
        s[t + 1] = in[i];
    if (t == 0 && i > 0 && i < n)
        s[0] = in[i - 1];
    if (t == 63 && i < n - 1)
        s[65] = in[i + 1];
    __syncthreads();
    if (i >= 1 && i + 1 < n)
        out[i] = 0.25f * s[t + 1 - 1] + 0.5f * s[t + 1] + 0.25f * s[t + 1 + 1];
}

// By locals.
//~ race-free
__global__ void stencil_locals_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < 1 || i + 2 > n)
        return;
    const float *at = in + i;
    float left = at[-1], middle = at[0], right = at[1];
    out[i] = 0.25f * left + 0.5f * middle + 0.25f * right;
}

// The left neighbour twice.
//~ race-free
__global__ void stencil_left_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i - 1];
}

// The border as well.
//~ race-free
__global__ void stencil_border_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i > 0 && i < n)
        out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

// The halo is one off.
//~ race-free
__global__ void stencil_halo_ok(float *out, const float *in, int n)
{
    __shared__ float s[66];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i < n)
        s[t + 1] = in[i];
    if (t == 0 && i > 0 && i < n)
        s[0] = in[i - 1];
    if (t == 63 && i + 1 < n)
        s[65] = in[i];
    __syncthreads();
    if (i > 0 && i < n - 1)
        out[i] = 0.25f * s[t] + 0.5f * s[t + 1] + 0.25f * s[t + 2];
}

// Weights in another order.
//~ race-free
__global__ void stencil_weights_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = 0.5f * in[i - 1] + 0.25f * in[i] + 0.25f * in[i + 1];
}

// The block is left one early.
//~ race-free
__global__ void stencil_block_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i > 0 && i < n - 1 && threadIdx.x < 63)
        out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
