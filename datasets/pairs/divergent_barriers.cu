//--blockDim=64 --gridDim=2
// Pairs before and after a fix: barriers that some threads do not reach

// [divergence] The barrier of the last, incomplete block stands under the bound.
//~ divergence
__global__ void pair_bound_bad(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i < n) {
        s[t] = g[i];
        __syncthreads(); //~ here
        out[i] = s[0];
    }
}

// After: loads and stores are guarded, the barrier is not.
//~ race-free
__global__ void pair_bound_ok(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i < n) s[t] = g[i];
    __syncthreads();
    if (i < n) out[i] = s[0];
}

// [divergence] Rows that are empty are skipped, and so is the barrier.
//~ divergence
__global__ void pair_skip_row_bad(const int *length, int *out, int rows)
{
    int t = threadIdx.x, sum = 0;
    for (int r = 0; r < rows; r++) {
        if (length[r * 64 + t] == 0) continue;
        sum += length[r * 64 + t];
        __syncthreads(); //~ here
    }
    out[blockIdx.x * 64 + t] = sum;
}

// After: the work is guarded, not the barrier.
//~ race-free
__global__ void pair_skip_row_ok(const int *length, int *out, int rows)
{
    int t = threadIdx.x, sum = 0;
    for (int r = 0; r < rows; r++) {
        if (length[r * 64 + t] != 0) sum += length[r * 64 + t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [early-exit] Threads beyond the end return before the barrier.
//~ divergence
__global__ void pair_leave_early_bad(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i >= n) return;
    s[t] = g[i];
    __syncthreads(); //~ here
    out[i] = s[t] + 1;
}

// After: they stay to the end.
//~ race-free
__global__ void pair_leave_early_ok(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    bool active = i < n;
    if (active) s[t] = g[i];
    __syncthreads();
    if (active) out[i] = s[t] + 1;
}

// [divergence] Each thread goes on until its own value converges.
//~ divergence
__global__ void pair_converge_bad(float *g, float limit)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float x = g[i];
    while (x > limit) {
        x = x * 0.5f;
        __syncthreads(); //~ here
    }
    g[i] = x;
}

// After: all go on until the last is ready.
//~ race-free
__global__ void pair_converge_ok(float *g, float limit)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float x = g[i];
    while (__syncthreads_or(x > limit)) {
        if (x > limit) x = x * 0.5f;
        __syncthreads();
    }
    g[i] = x;
}

// A helper with a barrier of its own.
__device__ int first_of_block(int v)
{
    __shared__ int box;
    if (threadIdx.x == 0) box = v;
    __syncthreads(); //~ here
    return box;
}

// [divergence] The helper is called by half of the block.
//~ divergence
__global__ void pair_helper_in_branch_bad(const int *g, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int x = 0;
    if (t < 32) x = first_of_block(g[i]);
    out[i] = x;
}

// After: all call it, half use the result.
//~ race-free
__global__ void pair_helper_in_branch_ok(const int *g, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int x = first_of_block(g[i]);
    out[i] = t < 32 ? x : 0;
}

// [divergence] The arms of a switch over the thread's kind have a barrier each.
//~ divergence
__global__ void pair_switch_bad(const int *kind, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    switch (kind[i]) {
    case 0:
        out[i] = 1;
        __syncthreads(); //~ here
        break;
    default:
        out[i] = 2;
        break;
    }
}

// After: the barrier follows the switch.
//~ race-free
__global__ void pair_switch_ok(const int *kind, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    switch (kind[i]) {
    case 0:
        out[i] = 1;
        break;
    default:
        out[i] = 2;
        break;
    }
    __syncthreads();
}

// [divergence] As many rounds as the thread has items.
//~ divergence
__global__ void pair_rounds_bad(const int *g, int *out, int n)
{
    int t = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * 64 + t; i < n; i += 128) {
        sum += g[i];
        __syncthreads(); //~ here
    }
    out[blockIdx.x * 64 + t] = sum;
}

// After: as many rounds as the block.
//~ race-free
__global__ void pair_rounds_ok(const int *g, int *out, int n)
{
    int t = threadIdx.x, sum = 0;
    for (int base = blockIdx.x * 64; base < n; base += 128) {
        if (base + t < n) sum += g[base + t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [divergence] A race was mended by a barrier in the branch of those who use the sum.
//~ divergence
__global__ void pair_fix_in_branch_bad(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = g[i];
    if (g[i] > 0) {
        __syncthreads(); //~ here
        out[i] = s[t];
    }
}

// After: in front of the branch.
//~ race-free
__global__ void pair_fix_in_branch_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = g[i];
    __syncthreads();
    if (g[i] > 0) {
        out[i] = s[63 - t];
    }
}
