//--blockDim=[16,8] --gridDim=[4,4] -DR=2
// Finite differences in three dimensions: a block marches along z with a tile of the current plane in
// shared memory and the column behind and ahead in registers.

// Each plane: barrier, fill the tile and its halo, barrier, use it.
//~ race-free
__global__ void fdtd_march_ok(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float plane[8 + 2 * R][16 + 2 * R];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx;
    int y = blockIdx.y * 8 + ty;
    int pitch = 16 * 4 + 2 * R;
    int rows = 8 * 4 + 2 * R;
    float behind = 0.0f;
    for (int z = 0; z < nz; z++) {
        int at = (z * rows + y + R) * pitch + x + R;
        __syncthreads();
        plane[ty + R][tx + R] = in[at];
        if (ty < R) {
            plane[ty][tx + R] = in[at - R * pitch];
            plane[ty + 8 + R][tx + R] = in[at + 8 * pitch];
        }
        if (tx < R) {
            plane[ty + R][tx] = in[at - R];
            plane[ty + R][tx + 16 + R] = in[at + 16];
        }
        __syncthreads();
        float sum = behind;
        for (int r = 1; r <= R; r++) {
            sum += plane[ty + R - r][tx + R] + plane[ty + R + r][tx + R];
            sum += plane[ty + R][tx + R - r] + plane[ty + R][tx + R + r];
        }
        behind = plane[ty + R][tx + R];
        out[at] = sum;
    }
}

// The barrier at the head of the march is gone: the next plane overwrites the tile in use.
//~ race
__global__ void fdtd_march_head_bad(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float plane2[8 + 2 * R][16 + 2 * R];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx;
    int y = blockIdx.y * 8 + ty;
    int pitch = 16 * 4 + 2 * R;
    int rows = 8 * 4 + 2 * R;
    for (int z = 0; z < nz; z++) {
        int at = (z * rows + y + R) * pitch + x + R;
        plane2[ty + R][tx + R] = in[at]; //~ here
        if (ty < R) {
            plane2[ty][tx + R] = in[at - R * pitch]; //~ here
            plane2[ty + 8 + R][tx + R] = in[at + 8 * pitch]; //~ here
        }
        __syncthreads();
        float sum = 0.0f;
        for (int r = 1; r <= R; r++) {
            sum += plane2[ty + R - r][tx + R] + plane2[ty + R + r][tx + R]; //~ here
        }
        out[at] = sum;
    }
}

// The halo above the tile is cleared one row too far: that row belongs to the tile proper, whose
// threads store their elements there.
//~ race
__global__ void fdtd_march_halo_bad(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float plane3[8 + 2 * R][16 + 2 * R];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx;
    int y = blockIdx.y * 8 + ty;
    int pitch = 16 * 4 + 2 * R;
    int rows = 8 * 4 + 2 * R;
    for (int z = 0; z < nz; z++) {
        int at = (z * rows + y + R) * pitch + x + R;
        __syncthreads();
        plane3[ty + R][tx + R] = in[at]; //~ here
        if (ty <= R) {
            plane3[ty][tx + R] = 0.0f; //~ here
        }
        __syncthreads();
        float sum = 0.0f;
        for (int r = 1; r <= R; r++) {
            sum += plane3[ty + R - r][tx + R];
        }
        out[at] = sum;
    }
}
