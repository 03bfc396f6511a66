//--blockDim=64 --gridDim=4
// After Sarkar et al. (ICSOFT 2018), program "FFT": 128 points per block, radix 2, real and imaginary
// parts in separate arrays; 64 threads, a butterfly each per stage.

// At stage `half` the thread's butterfly joins lo and lo + half; a barrier per stage.
//~ race-free
__global__ void icsoft_fft_ok(float *re, float *im, const float *wre, const float *wim)
{
    __shared__ float a[128];
    __shared__ float b[128];
    int t = threadIdx.x;
    int base = blockIdx.x * 128;
    a[t] = re[base + t];
    b[t] = im[base + t];
    a[t + 64] = re[base + t + 64];
    b[t + 64] = im[base + t + 64];
    __syncthreads();
    for (int half = 1; half < 128; half *= 2) {
        int k = t % half;
        int lo = (t / half) * 2 * half + k;
        int hi = lo + half;
        int w = k * (64 / half);
        float x = a[hi] * wre[w] - b[hi] * wim[w];
        float y = a[hi] * wim[w] + b[hi] * wre[w];
        a[hi] = a[lo] - x;
        b[hi] = b[lo] - y;
        a[lo] += x;
        b[lo] += y;
        __syncthreads();
    }
    re[base + t] = a[t];
    im[base + t] = b[t];
    re[base + t + 64] = a[t + 64];
    im[base + t + 64] = b[t + 64];
}

// Seeds 1 and 2: the stage has lost its barrier, so both orders occur round the loop.
//~ race
__global__ void icsoft_fft_stage_bad(float *re)
{
    __shared__ float a2[128];
    int t = threadIdx.x;
    int base = blockIdx.x * 128;
    a2[t] = re[base + t];
    a2[t + 64] = re[base + t + 64];
    __syncthreads();
    for (int half = 1; half < 128; half *= 2) {
        int k = t % half;
        int lo = (t / half) * 2 * half + k;
        int hi = lo + half;
        float x = a2[hi]; //~ here
        float y = a2[lo]; //~ here
        a2[hi] = y - x; //~ here
        a2[lo] = y + x; //~ here
    }
    __syncthreads();
    re[base + t] = a2[t];
    re[base + t + 64] = a2[t + 64];
}

// Bit reversal in place, each thread storing its own element to the reversed place and none waiting.
//~ race
__global__ void icsoft_fft_reversal_bad(float *re)
{
    __shared__ float a3[64];
    int t = threadIdx.x;
    int rev = ((t & 1) << 5) | ((t & 2) << 3) | ((t & 4) << 1) | ((t & 8) >> 1) | ((t & 16) >> 3) | ((t & 32) >> 5);
    a3[t] = re[blockIdx.x * 64 + t];
    __syncthreads();
    float x = a3[t]; //~ here
    a3[rev] = x; //~ here
    __syncthreads();
    re[blockIdx.x * 64 + t] = a3[t];
}

// The reversal is one-to-one, so with a barrier between reading and writing it is clean.
//~ race-free
__global__ void icsoft_fft_reversal_ok(float *re)
{
    __shared__ float a4[64];
    int t = threadIdx.x;
    int rev = ((t & 1) << 5) | ((t & 2) << 3) | ((t & 4) << 1) | ((t & 8) >> 1) | ((t & 16) >> 3) | ((t & 32) >> 5);
    a4[t] = re[blockIdx.x * 64 + t];
    __syncthreads();
    float x = a4[t];
    __syncthreads();
    a4[rev] = x;
    __syncthreads();
    re[blockIdx.x * 64 + t] = a4[t];
}
