//--blockDim=[8,4,4] --gridDim=1
// Construct: three-dimensional shared arrays and thread ids

// One element a thread.
//~ race-free
__global__ void array_3d_ok(int *out)
{
    __shared__ int c[4][4][8];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    c[z][y][x] = x;
    __syncthreads();
    out[(z * 4 + y) * 8 + x] = c[y][z][7 - x];
}

// [identity] threadIdx.z is not in the index.
//~ race
__global__ void array_3d_bad()
{
    __shared__ int c[4][4][8];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    c[0][y][x] = z; //~ here
}

// [extent] x reaches 7 in an extent of 4: c[z][x][y] leaves its plane.
//~ race
__global__ void array_3d_swapped_bad()
{
    __shared__ int c[5][4][8];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    c[z][x][y] = z; //~ here
}

// [missing-barrier] The mirrored read in the third dimension.
//~ race
__global__ void array_3d_mirror_bad(int *out)
{
    __shared__ int c[4][4][8];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    c[z][y][x] = x; //~ here
    out[(z * 4 + y) * 8 + x] = c[3 - z][y][x]; //~ here
}
