//--blockDim=192 --gridDim=1
// Construct: doubling and halving loops from 1, 3 and 96

// From 96 down to 1: writers below k, readers at k and above.
//~ race-free
__global__ void halving_from_96_ok(int *g)
{
    __shared__ int s[192];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (int k = 96; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    g[t] = s[t];
}

// [missing-barrier] No barrier between the levels.
//~ race
__global__ void halving_from_96_bad(int *g)
{
    __shared__ int s[192];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (int k = 96; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k]; //~ here
    }
    __syncthreads();
    g[t] = s[t];
}

// From 3 upwards: multiples of 2k write, elements k further are read.
//~ race-free
__global__ void doubling_stride_from_3_ok(int *g)
{
    __shared__ int s[384];
    int t = threadIdx.x;
    s[t] = g[t];
    s[192 + t] = g[192 + t];
    __syncthreads();
    for (int k = 3; k < 192; k *= 2) {
        if (t % (2 * k) == 0) s[t] += s[t + k];
        __syncthreads();
    }
    g[t] = s[t];
}

// [index] Multiples of k write, and an element k further is another multiple.
//~ race
__global__ void doubling_stride_from_3_bad(int *g)
{
    __shared__ int s[384];
    int t = threadIdx.x;
    s[t] = g[t];
    s[192 + t] = g[192 + t];
    __syncthreads();
    for (int k = 3; k < 192; k *= 2) {
        if (t % k == 0) s[t] += s[t + k]; //~ here
        __syncthreads();
    }
    g[t] = s[t];
}

// 2*k*t from 1: multiples of 2k, as long as they lie in the array.
//~ race-free
__global__ void doubling_index_ok(int *g)
{
    __shared__ int s[192];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (int k = 1; k < 192; k <<= 1) {
        int i = 2 * k * t;
        if (i + k < 192) s[i] += s[i + k];
        __syncthreads();
    }
    g[t] = s[t];
}
