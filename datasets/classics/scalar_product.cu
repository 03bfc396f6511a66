//--blockDim=128 --gridDim=4
// Scalar products of many vector pairs: each block takes every fourth pair and reduces in shared
// memory, so the scratch is reused round the loop.

// The barrier at the end of the body keeps the next pair's stores behind thread 0's last read.
//~ race-free
__global__ void scalar_product_ok(const float *a, const float *b, float *c, int pairs, int length)
{
    __shared__ float acc[128];
    for (int v = blockIdx.x; v < pairs; v += gridDim.x) {
        float sum = 0.0f;
        for (int p = threadIdx.x; p < length; p += 128) sum += a[v * length + p] * b[v * length + p];
        acc[threadIdx.x] = sum;
        for (int stride = 64; stride > 0; stride >>= 1) {
            __syncthreads();
            if (threadIdx.x < stride) acc[threadIdx.x] += acc[threadIdx.x + stride];
        }
        if (threadIdx.x == 0) c[v] = acc[0];
        __syncthreads();
    }
}

// Without it the race is carried: in the last step thread 0 reads element 1, and thread 1, which
// has nothing more to do, already stores its sum of the next pair there.
//~ race
__global__ void scalar_product_carried_bad(const float *a, const float *b, float *c, int pairs, int length)
{
    __shared__ float acc2[128];
    for (int v = blockIdx.x; v < pairs; v += gridDim.x) {
        float sum = 0.0f;
        for (int p = threadIdx.x; p < length; p += 128) sum += a[v * length + p] * b[v * length + p];
        acc2[threadIdx.x] = sum; //~ here
        for (int stride = 64; stride > 0; stride >>= 1) {
            __syncthreads();
            if (threadIdx.x < stride) acc2[threadIdx.x] += acc2[threadIdx.x + stride]; //~ here
        }
        if (threadIdx.x == 0) c[v] = acc2[0];
    }
}

// Here the vectors are dealt to threads instead of blocks: when pairs is no multiple of 128, some
// threads pass the barrier once more than others.
//~ divergence
__global__ void scalar_product_trip_count_bad(const float *a, const float *b, float *c, int pairs, int length)
{
    __shared__ float acc3[128];
    for (int v = threadIdx.x; v < pairs; v += 128) {
        float sum = 0.0f;
        for (int p = 0; p < length; p++) sum += a[v * length + p] * b[v * length + p];
        acc3[threadIdx.x] = sum;
        __syncthreads(); //~ here
        if (blockIdx.x == 0) c[v] = acc3[threadIdx.x];
    }
}
