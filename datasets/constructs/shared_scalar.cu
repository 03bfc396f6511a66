//--blockDim=64 --gridDim=2
// Construct: shared scalars

// Written by one thread between barriers.
//~ race-free
__global__ void shared_scalar_ok(int *out, int n)
{
    __shared__ int base;
    int t = threadIdx.x, b = blockIdx.x;
    for (int i = 0; i < n; i++) {
        if (t == 0) base = b * 64 + i;
        __syncthreads();
        out[b * 64 + t] = base + t;
        __syncthreads();
    }
}

// [carried] Thread 0 stores the next value while others read the last one.
//~ race
__global__ void shared_scalar_bad(int *out, int n)
{
    __shared__ int base;
    int t = threadIdx.x, b = blockIdx.x;
    for (int i = 0; i < n; i++) {
        if (t == 0) base = b * 64 + i; //~ here
        __syncthreads();
        out[b * 64 + t] = base + t; //~ here
    }
}

// All threads write the same constant, then read behind a barrier.
//~ race-free
__global__ void shared_scalar_constant_ok(int *out)
{
    __shared__ int flag;
    int t = threadIdx.x, b = blockIdx.x;
    flag = 1;
    __syncthreads();
    out[b * 64 + t] = flag;
}

// [missing-barrier] Equal writes are benign, a read beside them is not.
//~ race
__global__ void shared_scalar_constant_bad(int *out)
{
    __shared__ int flag;
    int t = threadIdx.x, b = blockIdx.x;
    flag = 1; //~ here
    out[b * 64 + t] = flag; //~ here
}
