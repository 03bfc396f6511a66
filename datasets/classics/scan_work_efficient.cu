//--blockDim=128 --gridDim=4
// Work-efficient exclusive scan of 256 elements by 128 threads: up-sweep, then down-sweep.

// In each level offset * d = 128: the pairs (ai, bi) of different threads are disjoint, and a
// barrier at the head of every level separates it from the last.
//~ race-free
__global__ void scan_efficient_ok(const int *in, int *out)
{
    __shared__ int tree[256];
    int tid = threadIdx.x;
    int n = 256;
    int base = blockIdx.x * n;
    int offset = 1;
    tree[2 * tid] = in[base + 2 * tid];
    tree[2 * tid + 1] = in[base + 2 * tid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            tree[bi] += tree[ai];
        }
        offset *= 2;
    }
    if (tid == 0) tree[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            int t = tree[ai];
            tree[ai] = tree[bi];
            tree[bi] += t;
        }
    }
    __syncthreads();
    out[base + 2 * tid] = tree[2 * tid];
    out[base + 2 * tid + 1] = tree[2 * tid + 1];
}

// The down-sweep has lost its barrier: thread 0 writes element 127 at the first level, while thread
// 1 may already use it at the second.
//~ race
__global__ void scan_efficient_down_bad(const int *in, int *out)
{
    __shared__ int tree2[256];
    int tid = threadIdx.x;
    int n = 256;
    int base = blockIdx.x * n;
    int offset = 1;
    tree2[2 * tid] = in[base + 2 * tid];
    tree2[2 * tid + 1] = in[base + 2 * tid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            tree2[bi] += tree2[ai];
        }
        offset *= 2;
    }
    if (tid == 0) tree2[n - 1] = 0;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            int t = tree2[ai]; //~ here
            tree2[ai] = tree2[bi]; //~ here
            tree2[bi] += t; //~ here
        }
    }
    __syncthreads();
    out[base + 2 * tid] = tree2[2 * tid];
    out[base + 2 * tid + 1] = tree2[2 * tid + 1];
}

// On the way up offset is doubled only by the threads that work in the level, on the way down it is
// halved by all: thread 1 has 32 where thread 0 has 64, and both take element 127.
//~ race
__global__ void scan_efficient_offset_bad(const int *in, int *out)
{
    __shared__ int tree3[256];
    int tid = threadIdx.x;
    int n = 256;
    int base = blockIdx.x * n;
    int offset = 1;
    tree3[2 * tid] = in[base + 2 * tid];
    tree3[2 * tid + 1] = in[base + 2 * tid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            tree3[bi] += tree3[ai];
            offset *= 2;
        }
    }
    __syncthreads();
    if (tid == 0) tree3[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            if (offset > 0) {
                int t = tree3[ai]; //~ here
                tree3[ai] = tree3[bi]; //~ here
                tree3[bi] += t; //~ here
            }
        }
    }
    __syncthreads();
    out[base + 2 * tid] = tree3[2 * tid];
    out[base + 2 * tid + 1] = tree3[2 * tid + 1];
}
