//--blockDim=[16,16] --gridDim=[4,4]
// Temperatures of a chip, several time steps per launch: a block keeps a tile in shared memory, and
// the cells whose neighbourhood is still inside the tile shrink by one ring per step.

// Each step reads one buffer and writes the other; then the new tile becomes the old one between
// two barriers. Only the inner cells of the tile reach global memory.
//~ race-free
__global__ void hotspot_ok(const float *power, const float *before, float *after, int steps, int pitch)
{
    __requires(steps >= 0 && steps < 8);
    __shared__ float heat[16][16];
    __shared__ float fresh[16][16];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int inner = 16 - 2 * steps;
    int x = blockIdx.x * inner + tx;
    int y = blockIdx.y * inner + ty;
    bool valid = x < pitch && y < pitch;
    heat[ty][tx] = valid ? before[y * pitch + x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        bool computed = false;
        if (tx > i && tx < 15 - i && ty > i && ty < 15 - i && valid) {
            computed = true;
            float around = heat[ty][tx - 1] + heat[ty][tx + 1] + heat[ty - 1][tx] + heat[ty + 1][tx];
            fresh[ty][tx] = heat[ty][tx] + 0.1f * (around - 4.0f * heat[ty][tx] + power[y * pitch + x]);
        }
        __syncthreads();
        if (computed) heat[ty][tx] = fresh[ty][tx];
        __syncthreads();
    }
    if (tx >= steps && tx < 16 - steps && ty >= steps && ty < 16 - steps && valid) {
        after[y * pitch + x] = heat[ty][tx];
    }
}

// Straight into the tile: a cell changes while its neighbours still read it.
//~ race
__global__ void hotspot_one_buffer_bad(const float *power, const float *before, float *after, int steps, int pitch)
{
    __shared__ float heat2[16][16];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int inner = 16 - 2 * steps;
    int x = blockIdx.x * inner + tx;
    int y = blockIdx.y * inner + ty;
    bool valid = x < pitch && y < pitch;
    heat2[ty][tx] = valid ? before[y * pitch + x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        if (tx > i && tx < 15 - i && ty > i && ty < 15 - i && valid) {
            float side = heat2[ty][tx - 1] + heat2[ty][tx + 1]; //~ here
            float above = heat2[ty - 1][tx] + heat2[ty + 1][tx]; //~ here
            heat2[ty][tx] += 0.1f * (side + above + power[y * pitch + x]); //~ here
        }
        __syncthreads();
    }
    if (tx >= steps && tx < 16 - steps && ty >= steps && ty < 16 - steps && valid) {
        after[y * pitch + x] = heat2[ty][tx];
    }
}

// The whole tile goes to global memory, rings included: neighbouring blocks overlap there.
//~ race
__global__ void hotspot_overlap_bad(const float *power, const float *before, float *after, int steps, int pitch)
{
    __shared__ float heat3[16][16];
    __shared__ float fresh3[16][16];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int inner = 16 - 2 * steps;
    int x = blockIdx.x * inner + tx;
    int y = blockIdx.y * inner + ty;
    bool valid = x < pitch && y < pitch;
    heat3[ty][tx] = valid ? before[y * pitch + x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        if (tx > i && tx < 15 - i && ty > i && ty < 15 - i && valid) {
            float around = heat3[ty][tx - 1] + heat3[ty][tx + 1] + heat3[ty - 1][tx] + heat3[ty + 1][tx];
            fresh3[ty][tx] = around + power[y * pitch + x];
        }
        __syncthreads();
        if (tx > i && tx < 15 - i && ty > i && ty < 15 - i && valid) heat3[ty][tx] = fresh3[ty][tx];
        __syncthreads();
    }
    if (valid) after[y * pitch + x] = heat3[ty][tx]; //~ here
}
