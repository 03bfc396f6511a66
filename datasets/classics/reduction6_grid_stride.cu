// Tree reduction, version 6: each thread first sums a grid-strided stretch, then the block tree.
// The launches at the end instantiate the templates.

__device__ int reduce6_tail(volatile int *s, unsigned int tid)
{
    int x = s[tid] + s[tid + 32];
    for (unsigned int k = 16; k > 0; k >>= 1) {
        __syncwarp();
        s[tid] = x;
        __syncwarp();
        x += s[(tid + k) % 32];
    }
    return x;
}

// The loop only reads global memory; the tail helper is called by the whole warp 0.
// In the tail's first step [32, 64) is read, nothing is written there any more.
//~ race-free
template <unsigned int blockSize>
__global__ void reduce6_grid_stride_ok(const int *in, int *out, int n)
{
    __shared__ int sum6[blockSize];
    unsigned int tid = threadIdx.x;
    int mine = 0;
    for (int i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x) {
        mine += in[i];
    }
    sum6[tid] = mine;
    __syncthreads();
    if (blockSize >= 256) {
        if (tid < 128) sum6[tid] += sum6[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64) sum6[tid] += sum6[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        int total = reduce6_tail(sum6, tid);
        if (tid == 0) out[blockIdx.x] = total;
    }
}

// The tree is inside the strided loop and its scratch is reused: thread 0 still reads the total
// of one round while another thread stores its element of the next. (Thread 0 runs late, so only
// element 0 would be safe; it reads element 1 as well.)
//~ race
template <unsigned int blockSize>
__global__ void reduce6_grid_stride_scratch_bad(const int *in, int *out, int n)
{
    __shared__ int sum6b[blockSize];
    unsigned int tid = threadIdx.x;
    int total = 0;
    for (int base = blockIdx.x * blockSize; base < n; base += blockSize * gridDim.x) {
        sum6b[tid] = in[base + tid]; //~ here
        __syncthreads();
        for (unsigned int s = blockSize / 2; s > 1; s >>= 1) {
            if (tid < s) sum6b[tid] += sum6b[tid + s];
            __syncthreads();
        }
        if (tid == 0) total += sum6b[0] + sum6b[1]; //~ here
    }
    if (tid == 0) out[blockIdx.x] = total;
}

int main()
{
    const int n = 4096;
    int *in;
    int *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, 4 * sizeof(int));
    dim3 grid(4);
    dim3 block(256);
    reduce6_grid_stride_ok<256><<<grid, block>>>(in, out, n);
    reduce6_grid_stride_scratch_bad<256><<<grid, block>>>(in, out, n);
    cudaDeviceSynchronize();
    return 0;
}
