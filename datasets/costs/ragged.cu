//--blockDim=40 --gridDim=3
// Blocks of 40, of which the second warp is not full.

// The second warp has eight lanes.
//~ race-free
__global__ void cost_ragged_ok(float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float v = s[t]; //: shared 1 in 6
    out[blockIdx.x * 40 + t] = v; //: global 4 in 6
}

// The second warp has eight lanes, all in one bank.
//~ race-free
__global__ void cost_ragged_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t < 32 ? t : 32 * t]; //: shared 8 in 6
    out[blockIdx.x * 40 + t] = v; //: global 4 in 6
}

// Three dimensions of an array.
//~ race-free
__global__ void cost_ragged_cube_bad(float *out)
{
    __shared__ float s[4][8][16];
    int t = threadIdx.x;
    float v = s[t % 4][t / 4 % 8][0]; //: shared 16 in 6
    out[blockIdx.x * 40 + t] = v; //: global 4 in 6
}
