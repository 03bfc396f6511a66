//--blockDim=[8,8] --gridDim=1
// Extra: values that two threads store in one place of a surface

// Two rows of threads store the number of the column in one row.
//~ race-free
__global__ void column_numbers_ok(cudaSurfaceObject_t s)
{
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(x, s, x * 4, y / 2);
}

// [value] They store the number of their own row.
//~ race
__global__ void row_numbers_bad(cudaSurfaceObject_t s)
{
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(y, s, x * 4, y / 2); //~ here
}
