// Tree reduction, version 0: the active threads of a level are the multiples of 2 * s.
// No launch is stated: the labels hold for every block and grid size.

// A writer's index is a multiple of 2 * s, what it reads beside its own element is s more,
// hence not such a multiple. A barrier ends every level.
//~ race-free
__global__ void reduce0_modulo_ok(const float *in, float *out)
{
    extern __shared__ float sum0[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum0[tid] = in[i];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) {
            sum0[tid] += sum0[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sum0[0];
}

// The barrier after the load is gone: the first level reads the neighbour's element while the
// neighbour is still storing it. (Even an element outside the block cannot hide this: s = 1.)
//~ race
__global__ void reduce0_modulo_load_bad(const float *in, float *out)
{
    extern __shared__ float sum0b[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum0b[tid] = in[i]; //~ here
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) {
            sum0b[tid] += sum0b[tid + s]; //~ here
        }
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sum0b[0];
}

// The barrier stands after the loop, so levels overlap: thread 0 reads element 2 in level s = 2
// while thread 2 still adds to it in level s = 1.
//~ race
__global__ void reduce0_modulo_level_bad(const float *in, float *out)
{
    extern __shared__ float sum0c[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum0c[tid] = in[i];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) {
            sum0c[tid] += sum0c[tid + s]; //~ here
        }
    }
    __syncthreads();
    if (tid == 0) out[blockIdx.x] = sum0c[0];
}
