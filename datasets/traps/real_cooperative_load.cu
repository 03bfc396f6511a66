//--blockDim=64 --gridDim=2
// Shape of real bugs: no barrier between a cooperative load and its use

// [missing-barrier] Each thread loads one coefficient, all threads use all of them.
//~ race
__global__ void real_cooperative_load_bad(const int *coef, const int *g, int *out)
{
    __shared__ int c[16];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 16) c[t] = coef[t]; //~ here
    int sum = 0;
    for (int k = 0; k < 16; k++) sum += c[k] * g[i + k]; //~ here
    out[i] = sum;
}

// With the barrier.
//~ race-free
__global__ void real_cooperative_load_ok(const int *coef, const int *g, int *out)
{
    __shared__ int c[16];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 16) c[t] = coef[t];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 16; k++) sum += c[k] * g[i + k];
    out[i] = sum;
}
