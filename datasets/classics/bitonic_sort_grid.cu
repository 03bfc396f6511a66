//--blockDim=128 --gridDim=4
// Bitonic sort whose loads and stores leave out the block: fine within a block, not between blocks.

// Every block loads and stores values[tid]: the stores meet between blocks, and so do the stores of
// one block and the loads of another.
//~ race
__global__ void bitonic_grid_bad(int *values)
{
    __shared__ int lane_key[128];
    unsigned int tid = threadIdx.x;
    lane_key[tid] = values[tid]; //~ here
    __syncthreads();
    for (unsigned int k = 2; k <= 128; k *= 2) {
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (ixj > tid) {
                int a = lane_key[tid];
                int b = lane_key[ixj];
                bool up = (tid & k) == 0;
                if ((up && a > b) || (!up && a < b)) {
                    lane_key[tid] = b;
                    lane_key[ixj] = a;
                }
            }
            __syncthreads();
        }
    }
    values[tid] = lane_key[tid]; //~ here
}
