// Fast Walsh transform of one block's 2 * blockDim.x elements in shared memory. No launch is stated.

// At each stride a thread owns the pair (i0, i0 + stride), where lo = tid & (stride - 1): the pairs
// are a partition, since inserting a zero bit into tid is one-to-one.
//~ race-free
__global__ void walsh_ok(float *data)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float w[];
    int tid = threadIdx.x;
    int n = 2 * blockDim.x;
    int base = (int)blockIdx.x * n;
    w[tid] = data[base + tid];
    w[tid + blockDim.x] = data[base + tid + blockDim.x];
    for (int stride = n / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        int lo = tid & (stride - 1);
        int i0 = ((tid - lo) << 1) + lo;
        int i1 = i0 + stride;
        float a = w[i0];
        float b = w[i1];
        w[i0] = a + b;
        w[i1] = a - b;
    }
    __syncthreads();
    data[base + tid] = w[tid];
    data[base + tid + blockDim.x] = w[tid + blockDim.x];
}

// Without doubling the high part of tid, the second element of one pair is the first of another.
//~ race
__global__ void walsh_pairs_bad(float *data)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float w2[];
    int tid = threadIdx.x;
    int n = 2 * blockDim.x;
    int base = (int)blockIdx.x * n;
    w2[tid] = data[base + tid];
    w2[tid + blockDim.x] = data[base + tid + blockDim.x];
    for (int stride = n / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        int i0 = tid;
        int i1 = i0 + stride;
        float a = w2[i0]; //~ here
        float b = w2[i1]; //~ here
        w2[i0] = a + b; //~ here
        w2[i1] = a - b; //~ here
    }
    __syncthreads();
    data[base + tid] = w2[tid];
    data[base + tid + blockDim.x] = w2[tid + blockDim.x];
}

// The last stage is not separated from the copy to global memory: thread 1 copies element 1, which
// thread 0 computes.
//~ race
__global__ void walsh_copy_bad(float *data)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float w3[];
    int tid = threadIdx.x;
    int n = 2 * blockDim.x;
    int base = (int)blockIdx.x * n;
    w3[tid] = data[base + tid];
    w3[tid + blockDim.x] = data[base + tid + blockDim.x];
    for (int stride = n / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        int lo = tid & (stride - 1);
        int i0 = ((tid - lo) << 1) + lo;
        int i1 = i0 + stride;
        float a = w3[i0];
        float b = w3[i1];
        w3[i0] = a + b; //~ here
        w3[i1] = a - b; //~ here
    }
    data[base + tid] = w3[tid]; //~ here
    data[base + tid + blockDim.x] = w3[tid + blockDim.x]; //~ here
}
