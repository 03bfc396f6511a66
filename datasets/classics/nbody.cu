//--blockDim=128 --gridDim=4
// All-pairs forces by tiles: the block loads 128 bodies into shared memory and all threads use them.

__device__ float nbody_pull(float dx, float dy, float m)
{
    float d2 = dx * dx + dy * dy + 0.01f;
    return m / (d2 * sqrtf(d2));
}

// Load, barrier, use, barrier; the new positions go to other arrays than the old ones.
//~ race-free
__global__ void nbody_ok(const float *px, const float *py, const float *mass, float *qx, float *qy, int tiles)
{
    __shared__ float sx[128];
    __shared__ float sy[128];
    __shared__ float sm[128];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    float x = px[i];
    float y = py[i];
    float fx = 0.0f;
    float fy = 0.0f;
    for (int tile = 0; tile < tiles; tile++) {
        int j = tile * 128 + tid;
        sx[tid] = px[j];
        sy[tid] = py[j];
        sm[tid] = mass[j];
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float w = nbody_pull(sx[k] - x, sy[k] - y, sm[k]);
            fx += w * (sx[k] - x);
            fy += w * (sy[k] - y);
        }
        __syncthreads();
    }
    qx[i] = x + fx;
    qy[i] = y + fy;
}

// The second barrier is left out: the next tile's masses land among those still in use.
//~ race
__global__ void nbody_tile_bad(const float *px, const float *py, const float *mass, float *qx, float *qy, int tiles)
{
    __shared__ float sx2[128];
    __shared__ float sy2[128];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    float x = px[i];
    float y = py[i];
    float fx = 0.0f;
    float fy = 0.0f;
    for (int tile = 0; tile < tiles; tile++) {
        int j = tile * 128 + tid;
        sx2[tid] = px[j]; //~ here
        sy2[tid] = py[j]; //~ here
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float dx = sx2[k] - x; //~ here
            float dy = sy2[k] - y; //~ here
            float w = nbody_pull(dx, dy, mass[0]);
            fx += w * dx;
            fy += w * dy;
        }
    }
    qx[i] = x + fx;
    qy[i] = y + fy;
}

// Positions updated in place: one block moves its bodies while another still loads them.
//~ race
__global__ void nbody_in_place_bad(float *px, const float *mass, int tiles)
{
    __shared__ float sx3[128];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    float x = px[i];
    float fx = 0.0f;
    for (int tile = 0; tile < tiles; tile++) {
        sx3[tid] = px[tile * 128 + tid]; //~ here
        __syncthreads();
        for (int k = 0; k < 128; k++) fx += nbody_pull(sx3[k] - x, 0.0f, mass[0]) * (sx3[k] - x);
        __syncthreads();
    }
    px[i] = x + fx; //~ here
}
