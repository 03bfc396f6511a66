//--blockDim=64 --gridDim=4
// Cosine transform in groups of 8 lanes: each lane transforms one row, then one column of its
// group's tile. A group never leaves its warp.

__device__ void dct_eight(float *p, int step)
{
    for (int k = 0; k < 4; k++) {
        float a = p[k * step];
        float b = p[(7 - k) * step];
        p[k * step] = a + b;
        p[(7 - k) * step] = a - b;
    }
}

// The warp barrier between rows and columns orders the lanes of the group.
//~ race-free
__global__ void dct_groups_ok(const float *in, float *out)
{
    __shared__ float tile[512];
    int lane = threadIdx.x % 8;
    int group = threadIdx.x / 8;
    int base = group * 64;
    for (int k = 0; k < 8; k++) tile[base + lane * 8 + k] = in[blockIdx.x * 512 + base + lane * 8 + k];
    dct_eight(&tile[base + lane * 8], 1);
    __syncwarp();
    dct_eight(&tile[base + lane], 8);
    for (int k = 0; k < 8; k++) out[blockIdx.x * 512 + base + k * 8 + lane] = tile[base + k * 8 + lane];
}

__device__ void dct_eight_rows(float *p)
{
    for (int k = 0; k < 4; k++) {
        float a = p[k]; //~ here
        float b = p[7 - k]; //~ here
        p[k] = a + b; //~ here
        p[7 - k] = a - b; //~ here
    }
}

__device__ void dct_eight_columns(float *p)
{
    for (int k = 0; k < 4; k++) {
        float a = p[k * 8]; //~ here
        float b = p[(7 - k) * 8]; //~ here
        p[k * 8] = a + b; //~ here
        p[(7 - k) * 8] = a - b; //~ here
    }
}

// No barrier at all, trusting in lock-step: lanes run independently, so a column meets rows that are
// not finished, or not even loaded.
//~ race
__global__ void dct_groups_bad(const float *in, float *out)
{
    __shared__ float tile2[512];
    int lane = threadIdx.x % 8;
    int group = threadIdx.x / 8;
    int base = group * 64;
    for (int k = 0; k < 8; k++) tile2[base + lane * 8 + k] = in[blockIdx.x * 512 + base + lane * 8 + k]; //~ here
    dct_eight_rows(&tile2[base + lane * 8]);
    dct_eight_columns(&tile2[base + lane]);
    for (int k = 0; k < 8; k++) out[blockIdx.x * 512 + base + k * 8 + lane] = tile2[base + k * 8 + lane]; //~ here
}
