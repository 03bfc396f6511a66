//--blockDim=64 --gridDim=2
// What a loop that ends with a barrier leaves in shared memory is one value for all threads behind it

//~ race-free
__global__ void left_choice_ok(const int *q, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = q[t];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        if (t == k) s[t] = 1;
        __syncthreads();
    }
    if (s[0] > 3) __syncthreads();
    out[blockIdx.x * 64 + t] = 1;
}

// [no-barrier] Without the barrier the last round is not over.
//~ race
__global__ void left_choice_bad(const int *q, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = q[t];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        __syncthreads();
        if (t == k) s[0] = k + 1; //~ here
    }
    if (s[0] > 3) out[t] = blockIdx.x; //~ here
}

// Until the sum is small, by a reduction.
//~ race-free
__global__ void left_until_small_ok(const float *x, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float e = 1;
    while (e > 0.01f) {
        s[t] = x[blockIdx.x * 64 + t];
        __syncthreads();
        for (int k = 32; k > 0; k >>= 1) {
            if (t < k) s[t] += s[t + k];
            __syncthreads();
        }
        e = s[0];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = e;
}

// [element] Each thread has a sum of its own.
//~ divergence
__global__ void left_until_own_bad(const float *x, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float e = 1;
    while (e > 0.01f) {
        s[t] = x[blockIdx.x * 64 + t];
        __syncthreads(); //~ here
        for (int k = 32; k > 0; k >>= 1) {
            if (t < k) s[t] += s[t + k];
            __syncthreads(); //~ here
        }
        e = s[t];
        __syncthreads(); //~ here
    }
    out[blockIdx.x * 64 + t] = e;
}

// [rounds] Rounds that differ from thread to thread: one stores while another has left.
//~ race
__global__ void left_own_rounds_bad(const int *q, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = q[t];
    __syncthreads();
    for (int k = 0; k < t; k++)
        s[0] = k + t; //~ here
    out[blockIdx.x * 64 + t] = s[0]; //~ here
}

// [overwritten] Behind the loop a thread stores again.
//~ race
__global__ void left_overwritten_bad(const int *q, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = q[t];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        if (t == k) s[t] = 1;
        __syncthreads();
    }
    if (t == 5) s[0] = 7; //~ here
    out[blockIdx.x * 64 + t] = s[0]; //~ here
}

// [break] Left by another way, the next round may be run.
//~ race
__global__ void left_break_bad(const int *q, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        if (k == 1 && q[t] > 4) break;
        if (t == k) s[0] = k; //~ here
    }
    out[blockIdx.x * 64 + t] = s[0]; //~ here
}
