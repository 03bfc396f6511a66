//--blockDim=128 --gridDim=1
// The same indices with a single block: nobody else is there to collide with.

// values[tid] is each thread's own element while the grid has one block.
//~ race-free
__global__ void bitonic_single_ok(int *values)
{
    __shared__ int cell_key[128];
    unsigned int tid = threadIdx.x;
    cell_key[tid] = values[tid];
    __syncthreads();
    for (unsigned int k = 2; k <= 128; k *= 2) {
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (ixj > tid) {
                int a = cell_key[tid];
                int b = cell_key[ixj];
                bool up = (tid & k) == 0;
                if ((up && a > b) || (!up && a < b)) {
                    cell_key[tid] = b;
                    cell_key[ixj] = a;
                }
            }
            __syncthreads();
        }
    }
    values[tid] = cell_key[tid];
}

// Even a single block is not enough when the barrier after the load is missing.
//~ race
__global__ void bitonic_single_load_bad(int *values)
{
    __shared__ int cell_key2[128];
    unsigned int tid = threadIdx.x;
    cell_key2[tid] = values[tid]; //~ here
    for (unsigned int k = 2; k <= 128; k *= 2) {
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (ixj > tid) {
                int a = cell_key2[tid];
                int b = cell_key2[ixj]; //~ here
                if ((tid & k) == 0 ? a > b : a < b) {
                    cell_key2[tid] = b;
                    cell_key2[ixj] = a; //~ here
                }
            }
            __syncthreads();
        }
    }
    values[tid] = cell_key2[tid];
}
