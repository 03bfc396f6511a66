// Bitonic sort of one block's elements in shared memory: the partner is tid ^ j. No launch is
// stated: the labels hold for every block and grid size.

// Only the lower thread of a pair works, on both elements of the pair; that stays true when the
// partner lies beyond a block whose size is no power of two.
//~ race-free
__global__ void bitonic_ok(int *values)
{
    extern __shared__ int key[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    key[tid] = values[i];
    __syncthreads();
    for (unsigned int k = 2; k <= blockDim.x; k *= 2) {
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (ixj > tid) {
                int a = key[tid];
                int b = key[ixj];
                if ((tid & k) == 0 ? a > b : a < b) {
                    key[tid] = b;
                    key[ixj] = a;
                }
            }
            __syncthreads();
        }
    }
    values[i] = key[tid];
}

// The barrier closes only the outer loop, so the steps of one merge run into each other.
//~ race
__global__ void bitonic_outer_barrier_bad(int *values)
{
    extern __shared__ int key2[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    key2[tid] = values[i];
    __syncthreads();
    for (unsigned int k = 2; k <= blockDim.x; k *= 2) {
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (ixj > tid) {
                int a = key2[tid]; //~ here
                int b = key2[ixj]; //~ here
                if ((tid & k) == 0 ? a > b : a < b) {
                    key2[tid] = b; //~ here
                    key2[ixj] = a; //~ here
                }
            }
        }
        __syncthreads();
    }
    values[i] = key2[tid];
}

// Both threads of a pair work on it.
//~ race
__global__ void bitonic_both_sides_bad(int *values)
{
    extern __shared__ int key3[];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    key3[tid] = values[i];
    __syncthreads();
    for (unsigned int k = 2; k <= blockDim.x; k *= 2) {
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (key3[tid] > key3[ixj]) { //~ here
                int a = key3[tid]; //~ here
                key3[tid] = key3[ixj]; //~ here
                key3[ixj] = a; //~ here
            }
            __syncthreads();
        }
    }
    values[i] = key3[tid];
}
