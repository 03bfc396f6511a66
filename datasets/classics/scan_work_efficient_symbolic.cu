// Work-efficient scan for any power-of-two block, n = 2 * blockDim.x. No launch is stated.

// Whatever the level, ai and bi are offset times an odd and an even number, minus one, with the
// same offset in all threads: no two threads meet within a level.
//~ fp_race-free
__global__ void scan_efficient_symbolic_ok(const int *in, int *out)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ int level[];
    int tid = threadIdx.x;
    int n = 2 * blockDim.x;
    int base = (int)blockIdx.x * n;
    int offset = 1;
    level[2 * tid] = in[base + 2 * tid];
    level[2 * tid + 1] = in[base + 2 * tid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            level[bi] += level[ai];
        }
        offset *= 2;
    }
    if (tid == 0) level[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            int t = level[ai];
            level[ai] = level[bi];
            level[bi] += t;
        }
    }
    __syncthreads();
    out[base + 2 * tid] = level[2 * tid];
    out[base + 2 * tid + 1] = level[2 * tid + 1];
}

// The elements of a pair are offset apart, but the pairs of neighbours are too: bi of thread t is
// ai of thread t + 1.
//~ race
__global__ void scan_efficient_symbolic_pair_bad(const int *in, int *out)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ int level2[];
    int tid = threadIdx.x;
    int n = 2 * blockDim.x;
    int base = (int)blockIdx.x * n;
    int offset = 1;
    level2[2 * tid] = in[base + 2 * tid];
    level2[2 * tid + 1] = in[base + 2 * tid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = offset * (tid + 1) - 1;
            int bi = offset * (tid + 2) - 1;
            level2[bi] += level2[ai]; //~ here
        }
        offset *= 2;
    }
    __syncthreads();
    out[base + 2 * tid] = level2[2 * tid];
    out[base + 2 * tid + 1] = level2[2 * tid + 1];
}
