//--blockDim=128
// Sums of floats of blocks of 128 by trees, by shuffles and in a row: equal where the order is, else up to rounding.
//= equal fsum_halves_ok fsum_unrolled_ok fsum_shuffled_ok
//= equal fsum_neighbours_ok fsum_strides_ok
//= reassociated fsum_halves_ok fsum_neighbours_ok fsum_row_ok fsum_warps_ok
//= different fsum_halves_ok fsum_neighbours_ok fsum_row_ok fsum_warps_ok fsum_missing_ok fsum_warp_out_ok fsum_twice_ok
//= different fsum_neighbours_ok fsum_row_ok fsum_warps_ok fsum_missing_ok fsum_warp_out_ok fsum_twice_ok
//= different fsum_shuffled_ok fsum_missing_ok fsum_warp_out_ok fsum_twice_ok

// By halves.
//~ race-free
__global__ void fsum_halves_ok(float *out, const float *in)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// By halves, unrolled.
//~ race-free
__global__ void fsum_unrolled_ok(float *out, const float *in)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t < 64)
        s[t] = s[t + 64] + s[t];
    __syncthreads();
    if (t < 32)
        s[t] = s[t + 32] + s[t];
    __syncthreads();
    if (t < 16)
        s[t] = s[t + 16] + s[t];
    __syncthreads();
    if (t < 8)
        s[t] = s[t + 8] + s[t];
    __syncthreads();
    if (t < 4)
        s[t] = s[t + 4] + s[t];
    __syncthreads();
    if (t < 2)
        s[t] = s[t + 2] + s[t];
    __syncthreads();
    if (t < 1)
        s[t] = s[t + 1] + s[t];
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// By halves, the last warp by shuffles.
//~ race-free
__global__ void fsum_shuffled_ok(float *out, const float *in)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 64; d >= 32; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    float v = s[t];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (t == 0)
        out[blockIdx.x] = v;
}

// By neighbours.
//~ race-free
__global__ void fsum_neighbours_ok(float *out, const float *in)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        if (t % (2 * d) == 0)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// By neighbours, with strides.
//~ race-free
__global__ void fsum_strides_ok(float *out, const float *in)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int at = 2 * d * t;
        if (at < 128)
            s[at] += s[at + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// In a row.
//~ race-free
__global__ void fsum_row_ok(float *out, const float *in)
{
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 128; k++)
            sum += in[blockIdx.x * 128 + k];
        out[blockIdx.x] = sum;
    }
}

// By warps, then by the first of each.
//~ race-free
__global__ void fsum_warps_ok(float *out, const float *in)
{
    __shared__ float part[4];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 128 + t];
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

// The last step is missing.
//~ race-free
__global__ void fsum_missing_ok(float *out, const float *in)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 64; d > 1; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// A warp is left out.
//~ race-free
__global__ void fsum_warp_out_ok(float *out, const float *in)
{
    __shared__ float part[4];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 128 + t];
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = part[0] + part[1] + part[2];
}

// One element counts twice.
//~ race-free
__global__ void fsum_twice_ok(float *out, const float *in)
{
    if (threadIdx.x == 0) {
        float sum = in[blockIdx.x * 128];
        for (int k = 0; k < 128; k++)
            sum += in[blockIdx.x * 128 + k];
        out[blockIdx.x] = sum;
    }
}
