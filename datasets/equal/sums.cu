// Sums of blocks of open size by trees in shared memory.
//= equal sum_modulo_ok sum_strided_ok sum_one_thread_ok
//= different sum_modulo_ok sum_first_ok sum_start_ok sum_minus_ok sum_before_ok sum_halves_short_ok
//= different sum_strided_ok sum_first_ok sum_start_ok sum_minus_ok sum_before_ok sum_halves_short_ok
//= different sum_one_thread_ok sum_first_ok sum_start_ok sum_minus_ok sum_before_ok sum_halves_short_ok

// By halves.
//~ race-free
__global__ void sum_halves_ok(int *out, const int *in)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// By remainders.
//~ race-free
__global__ void sum_modulo_ok(int *out, const int *in)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0 && t + d < blockDim.x)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// By strides.
//~ race-free
__global__ void sum_strided_ok(int *out, const int *in)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (2 * d * t + d < blockDim.x)
            s[2 * d * t] += s[2 * d * t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// By one thread.
//~ race-free
__global__ void sum_one_thread_ok(int *out, const int *in)
{
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < blockDim.x; k++)
            sum += in[blockIdx.x * blockDim.x + k];
        out[blockIdx.x] = sum;
    }
}

// The last pair is left out.
//~ race-free
__global__ void sum_halves_short_ok(int *out, const int *in)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 1; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// The first element is left out.
//~ race-free
__global__ void sum_first_ok(int *out, const int *in)
{
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int k = 1; k < blockDim.x; k++)
            sum += in[blockIdx.x * blockDim.x + k];
        out[blockIdx.x] = sum;
    }
}

// The sum starts at one.
//~ race-free
__global__ void sum_start_ok(int *out, const int *in)
{
    if (threadIdx.x == 0) {
        int sum = 1;
        for (int k = 0; k < blockDim.x; k++)
            sum += in[blockIdx.x * blockDim.x + k];
        out[blockIdx.x] = sum;
    }
}

// Differences.
//~ race-free
__global__ void sum_minus_ok(int *out, const int *in)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0 && t + d < blockDim.x)
            s[t] -= s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// The element before the one that is meant.
//~ race-free
__global__ void sum_before_ok(int *out, const int *in)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (2 * d * t + d < blockDim.x)
            s[2 * d * t] += s[2 * d * t + d - 1 + (d == 1)];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
