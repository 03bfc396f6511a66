//--blockDim=64 --gridDim=2
// Shapes of real bugs: barrier divergence

// [divergence] The barrier stands under if (i < n), and n need not be a multiple of 64.
//~ divergence
__global__ void real_barrier_under_bound_bad(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        s[t] = g[i];
        __syncthreads(); //~ here
        out[i] = s[t];
    }
}

// The barrier is outside.
//~ race-free
__global__ void real_barrier_under_bound_ok(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) s[t] = g[i];
    __syncthreads();
    if (i < n) out[i] = s[t];
}

// [divergence] continue jumps over the barrier for some threads.
//~ divergence
__global__ void real_continue_over_barrier_bad(const int *g, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, sum = 0;
    for (int k = 0; k < 4; k++) {
        if (g[i + k] < 0) continue;
        sum += g[i + k];
        __syncthreads(); //~ here
    }
    out[i] = sum;
}

// The condition guards the sum only.
//~ race-free
__global__ void real_continue_over_barrier_ok(const int *g, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, sum = 0;
    for (int k = 0; k < 4; k++) {
        if (g[i + k] >= 0) sum += g[i + k];
        __syncthreads();
    }
    out[i] = sum;
}

// [early-exit] Threads beyond n leave before the barrier.
//~ divergence
__global__ void real_return_before_barrier_bad(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    s[t] = g[i];
    __syncthreads(); //~ here
    out[i] = s[t];
}

// The return follows the last barrier.
//~ race-free
__global__ void real_return_before_barrier_ok(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? g[i] : 0;
    __syncthreads();
    if (i >= n) return;
    out[i] = s[63 - t];
}

// A whole block leaves together: the condition is the same for all its threads.
//~ race-free
__global__ void real_block_returns_ok(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if ((int)blockIdx.x >= n) return;
    s[t] = g[i];
    __syncthreads();
    out[i] = s[63 - t];
}

// [divergence] The barrier runs only in threads whose private buffer is full.
//~ divergence
__global__ void real_barrier_when_full_bad(const int *g, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, fill = 0;
    for (int k = 0; k < 8; k++) {
        if (g[i + 128 * k] > 0) fill++;
        if (fill == 4) {
            __syncthreads(); //~ here
            fill = 0;
        }
    }
    out[i] = fill;
}

// The threads vote, so all take the same branch.
//~ race-free
__global__ void real_barrier_when_full_ok(const int *g, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, fill = 0;
    for (int k = 0; k < 8; k++) {
        if (g[i + 128 * k] > 0) fill++;
        if (__syncthreads_or(fill == 4)) {
            __syncthreads();
            fill = 0;
        }
    }
    out[i] = fill;
}

// [divergence] The trip count depends on the thread.
//~ divergence
__global__ void real_thread_trip_count_bad(const int *g, int *out, int n)
{
    int t = threadIdx.x, sum = 0;
    for (int k = t; k < n; k += 64) {
        sum += g[k];
        __syncthreads(); //~ here
    }
    out[blockIdx.x * 64 + t] = sum;
}

// The loop runs over tile starts, which are the same for all threads.
//~ race-free
__global__ void real_thread_trip_count_ok(const int *g, int *out, int n)
{
    int t = threadIdx.x, sum = 0;
    for (int base = 0; base < n; base += 64) {
        if (base + t < n) sum += g[base + t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}
