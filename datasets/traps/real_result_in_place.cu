//--blockDim=64 --gridDim=1
// Shape of real bugs: the result is written in place while thread 0 still reads its input

// [in-place] Thread 0 sums all elements while the others overwrite theirs.
//~ race
__global__ void real_result_in_place_bad(int *g)
{
    __shared__ int total;
    int t = threadIdx.x;
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < 64; k++) sum += g[k]; //~ here
        total = sum;
    }
    g[t] = g[t] * 2; //~ here
    __syncthreads();
    g[t] += total;
}

// The barrier stands before the update.
//~ race-free
__global__ void real_result_in_place_ok(int *g)
{
    __shared__ int total;
    int t = threadIdx.x;
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < 64; k++) sum += g[k];
        total = sum;
    }
    __syncthreads();
    g[t] = g[t] * 2;
    g[t] += total;
}
