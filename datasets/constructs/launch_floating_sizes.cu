// Construct: sizes of launches that host code computes in floating point
#include <cmath>

// 32 / 64 is less than one block.
//~ race-free
__global__ void ceil_of_part_ok(int *o)
{
    o[threadIdx.x] = o[threadIdx.x] + 1;
}

// [grid] 100 / 64 is more than one block.
//~ race confirmed
__global__ void ceil_of_more_bad(int *o)
{
    o[threadIdx.x] = o[threadIdx.x] + 1; //~ here
}

// [grid] Any number of elements, rounded up.
//~ race conditional
__global__ void ceil_of_open_bad(int *o)
{
    o[threadIdx.x] = o[threadIdx.x] + 1; //~ here
}

// [grid] A hundredth is not followed: the number of blocks is one that host code computes.
//~ race conditional
__global__ void hundredth_bad(int *o)
{
    o[threadIdx.x] = o[threadIdx.x] + 1; //~ here
}

// [grid] As a float, 67108863 is 67108864, and the quotient 2.
//~ race conditional
__global__ void rounded_up_bad(int *o)
{
    o[threadIdx.x] = o[threadIdx.x] + 1; //~ here
}

// In double the same quotient is less than 2.
//~ race-free
__global__ void exact_in_double_ok(int *o)
{
    o[threadIdx.x] = o[threadIdx.x] + 1;
}

// Whatever the number of blocks, each thread has an element of its own.
//~ race-free
__global__ void ceil_guarded_ok(int *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i] = o[i] + 1;
}

// One row of blocks: the quotient is 1.
//~ race-free
__global__ void floor_in_dim_ok(int *o)
{
    o[threadIdx.x] = o[threadIdx.x] + 1;
}

// [grid] Two rows of blocks, which the kernel does not tell apart.
//~ race confirmed
__global__ void ceil_in_dim_bad(int *o)
{
    o[threadIdx.x] = o[threadIdx.x] + 1; //~ here
}

void go(int *o, int n)
{
    int few = 32, more = 100, wide = 67108863;
    ceil_of_part_ok<<<(int)ceil((float)few / 64), 32>>>(o);
    ceil_of_more_bad<<<ceilf(more / 64.0f), 32>>>(o);
    ceil_of_open_bad<<<(unsigned)std::ceil(n / 64.0f), 32>>>(o);
    hundredth_bad<<<(int)(n * 0.01f), 32>>>(o);
    rounded_up_bad<<<(int)((float)wide / 33554432.0f), 32>>>(o);
    exact_in_double_ok<<<(int)((double)wide / 33554432.0), 32>>>(o);
    ceil_guarded_ok<<<(int)ceilf((float)n / 64), 64>>>(o, n);
    dim3 row((int)floor(few / 32.0f)), tall(1, ceil(more / 64.0));
    floor_in_dim_ok<<<row, 32>>>(o);
    ceil_in_dim_bad<<<tall, 32>>>(o);
}
