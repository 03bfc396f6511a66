//--blockDim=[16,16] --gridDim=1
// Construct: two-dimensional shared arrays, plain and padded

// Written by rows, read by columns after the barrier.
//~ race-free
__global__ void array_2d_ok(int *out)
{
    __shared__ int tile[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = x;
    __syncthreads();
    out[y * 16 + x] = tile[x][y];
}

// [missing-barrier] Rows meet columns.
//~ race
__global__ void array_2d_bad(int *out)
{
    __shared__ int tile[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = x; //~ here
    out[y * 16 + x] = tile[x][y]; //~ here
}

// [extent] 2*x reaches 30 in a row of 16: tile[y][16] is tile[y+1][0].
//~ race
__global__ void array_2d_row_overflow_bad()
{
    __shared__ int tile[18][16];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][2 * x] = y; //~ here
}

// Doubled columns need rows of twice the length.
//~ race-free
__global__ void array_2d_row_overflow_ok()
{
    __shared__ int tile[18][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][2 * x] = y;
}

// A row is a pointer.
//~ race-free
__global__ void array_2d_row_pointer_ok()
{
    __shared__ int tile[16][16];
    int *row = tile[threadIdx.y];
    row[threadIdx.x] = threadIdx.y;
}

// [identity] All rows get the same pointer.
//~ race
__global__ void array_2d_row_pointer_bad()
{
    __shared__ int tile[16][16];
    int *row = tile[0];
    row[threadIdx.x] = threadIdx.y; //~ here
}
