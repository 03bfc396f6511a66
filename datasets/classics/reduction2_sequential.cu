// Tree reduction, version 2: sequential addressing, s halves from blockDim.x / 2.
// No launch is stated: the labels hold for every block and grid size.

// Writes are below s, the foreign reads are in [s, 2 * s).
//~ race-free
__global__ void reduce2_sequential_ok(const float *in, float *out)
{
    extern __shared__ float sum2[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum2[tid] = in[i];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sum2[tid] += sum2[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sum2[0];
}

// Off by one: thread s takes part as well and writes element s, which thread 0 reads.
//~ race
__global__ void reduce2_sequential_guard_bad(const float *in, float *out)
{
    extern __shared__ float sum2b[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum2b[tid] = in[i];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid <= s) sum2b[tid] += sum2b[tid + s]; //~ here
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sum2b[0];
}

// The barrier is inside the guard: only the threads below s reach it. No race comes of that, since
// two threads that meet in a level have both passed the barrier of the level before.
//~ divergence
__global__ void reduce2_sequential_barrier_in_guard_bad(const float *in, float *out)
{
    extern __shared__ float sum2c[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum2c[tid] = in[i];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sum2c[tid] += sum2c[tid + s];
            __syncthreads(); //~ here
        }
    }
    if (tid == 0) out[blockIdx.x] = sum2c[0];
}
