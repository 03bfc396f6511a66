//--blockDim=128 --gridDim=4
// Work-efficient scan with one word of padding after every 16, against bank conflicts.
#define PAD(i) ((i) + ((i) >> 4))

// i + (i >> 4) grows strictly with i, so padding keeps distinct elements distinct.
//~ race-free
__global__ void scan_padded_ok(const int *in, int *out)
{
    __shared__ int node[272];
    int tid = threadIdx.x;
    int base = blockIdx.x * 256;
    int offset = 1;
    node[PAD(tid)] = in[base + tid];
    node[PAD(tid + 128)] = in[base + tid + 128];
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            node[PAD(bi)] += node[PAD(ai)];
        }
        offset *= 2;
    }
    if (tid == 0) node[PAD(255)] = 0;
    for (int d = 1; d < 256; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            int t = node[PAD(ai)];
            node[PAD(ai)] = node[PAD(bi)];
            node[PAD(bi)] += t;
        }
    }
    __syncthreads();
    out[base + tid] = node[PAD(tid)];
    out[base + tid + 128] = node[PAD(tid + 128)];
}

// The upper half is stored with the padding of the lower: 121 + (121 >> 4) = 128 is also 0 + 128 + 0,
// so thread 121 and thread 0 store to one element.
//~ race
__global__ void scan_padded_wrong_half_bad(const int *in, int *out)
{
    __shared__ int node2[272];
    int tid = threadIdx.x;
    int base = blockIdx.x * 256;
    int pad = tid >> 4;
    node2[tid + pad] = in[base + tid]; //~ here
    node2[tid + 128 + pad] = in[base + tid + 128]; //~ here
    __syncthreads();
    out[base + tid] = node2[tid + pad] + node2[tid + 128 + pad];
}
