//--blockDim=64 --gridDim=2
// Construct: element types of one to sixteen bytes, and vector types

// One element a thread in each type.
//~ race-free
__global__ void wide_types_ok(char *c, short *h, long long *l, double *d)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = 1;
    h[i] = 2;
    l[i] = 3;
    d[i] = 4;
}

// [width] A long long at an int distance.
//~ race
__global__ void wide_types_bad(int *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // Misaligned in every second thread.
    *(long long *)(g + i) = i; //~ here
}

// Two ints at once at a distance of two.
//~ race-free
__global__ void wide_types_pairs_ok(int *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    *(long long *)(g + 2 * i) = i;
}

// [width] Four floats at once at a distance of two.
//~ race
__global__ void vector_type_bad(float *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = make_float4(i, i + 1, i + 2, i + 3);
    *(float4 *)(g + 2 * i) = v; //~ here
}

// Four floats at once at a distance of four.
//~ race-free
__global__ void vector_type_ok(float *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = make_float4(i, i + 1, i + 2, i + 3);
    *(float4 *)(g + 4 * i) = v;
}
