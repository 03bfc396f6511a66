//--blockDim=64 --gridDim=1
// Construct: loops with constant strides, upwards and downwards

// Stride 64 for 64 threads, upwards from t.
//~ race-free
__global__ void strided_up_ok(int *g)
{
    for (int i = threadIdx.x; i < 1000; i += 64) g[i] = i;
}

// [carried] Stride 48 for 64 threads.
//~ race
__global__ void strided_up_bad(int *g)
{
    for (int i = threadIdx.x; i < 1000; i += 48) g[i] = threadIdx.x; //~ here
}

// Downwards with a stride of 64.
//~ race-free
__global__ void strided_down_ok(int *g)
{
    for (int i = 999 - threadIdx.x; i >= 0; i -= 64) g[i] = i;
}

// Stride 4 inside a row of 256 / 64 elements.
//~ race-free
__global__ void strided_inner_ok(int *g)
{
    int t = threadIdx.x;
    for (int i = 0; i < 64; i += 16) g[t * 64 + i] = t;
}

// [extent] The row has 64 elements, the loop reaches 64.
//~ race
__global__ void strided_inner_bad(int *g)
{
    int t = threadIdx.x;
    for (int i = 0; i <= 64; i += 16) g[t * 64 + i] = t; //~ here
}
