//--blockDim=64 --gridDim=[2,2]
// Extra: values that two threads store in one place, and whether inputs can make them differ

// [value] Half the inputs are on one side of the border.
//~ race
__global__ void half_of_inputs_bad(int *found, const float *x)
{
    if (blockIdx.x + blockIdx.y == 0)
        found[0] = x[threadIdx.x] < 0.5f; //~ here
}

// What lies between 0.1 and 0.2 is 0 when it is rounded.
//~ fp_race-free
__global__ void clamped_input_ok(int *found, const float *x)
{
    if (blockIdx.x + blockIdx.y == 0)
        found[0] = __float2int_rn(fminf(fmaxf(x[threadIdx.x], 0.1f), 0.2f));
}

// No number is itself and not itself.
//~ fp_race-free
__global__ void contradicted_input_ok(int *found, const float *x)
{
    float f = x[threadIdx.x];
    if (blockIdx.x + blockIdx.y == 0)
        found[0] = f == f + 1.0f && f != f;
}

// The number of a thread of 64 is never that large.
//~ fp_race-free
__global__ void scaled_number_ok(int *found)
{
    int t = threadIdx.x;
    if (blockIdx.x + blockIdx.y == 0)
        found[0] = t * 0.5f < 100.0f;
}

// [value] Each column of blocks adds up another row.
//~ race
__global__ void sums_of_columns_bad(float *sum, const float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[blockIdx.x * n + i];
    if (threadIdx.x == 0)
        sum[blockIdx.y] = s; //~ here
}

// All blocks that write an element add up one row, in one order.
//~ fp_race-free
__global__ void sums_of_rows_ok(float *sum, const float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[blockIdx.y * n + i];
    if (threadIdx.x == 0)
        sum[blockIdx.y] = s;
}
