//--blockDim=[8,16] --gridDim=1
// Extra: rank computed with the wrong extent

// [identity] x*8 + y with y < 16.
//~ race
__global__ void non_square_rank_bad()
{
    __shared__ int s[128];
    s[threadIdx.x * blockDim.x + threadIdx.y] = threadIdx.x; //~ here
}

// x*16 + y.
//~ race-free
__global__ void non_square_rank_ok()
{
    __shared__ int s[128];
    s[threadIdx.x * blockDim.y + threadIdx.y] = threadIdx.x;
}

// [missing-barrier] The transposed element is somebody else's, except on the diagonal.
//~ race
__global__ void non_square_diagonal_bad(int *out)
{
    __shared__ int s[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = x; //~ here
    if (x <= y) out[y * 8 + x] = s[x][y & 7]; //~ here
}
