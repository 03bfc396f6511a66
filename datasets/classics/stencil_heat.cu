//--blockDim=[16,16] --gridDim=[4,4] -DN=64
// One time step of two-dimensional heat flow on an N x N plate, with a halo in shared memory.

// The halo cells are loaded by the threads at the edges of the tile; one barrier before the use.
//~ race-free
__global__ void heat_halo_ok(const float *now, float *next, float c)
{
    __shared__ float cell[18][18];
    int tx = threadIdx.x + 1;
    int ty = threadIdx.y + 1;
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    cell[ty][tx] = now[y * N + x];
    if (threadIdx.x == 0) cell[ty][0] = x > 0 ? now[y * N + x - 1] : 0.0f;
    if (threadIdx.x == 15) cell[ty][17] = x < N - 1 ? now[y * N + x + 1] : 0.0f;
    if (threadIdx.y == 0) cell[0][tx] = y > 0 ? now[(y - 1) * N + x] : 0.0f;
    if (threadIdx.y == 15) cell[17][tx] = y < N - 1 ? now[(y + 1) * N + x] : 0.0f;
    __syncthreads();
    float around = cell[ty][tx - 1] + cell[ty][tx + 1] + cell[ty - 1][tx] + cell[ty + 1][tx];
    next[y * N + x] = cell[ty][tx] + c * (around - 4.0f * cell[ty][tx]);
}

// The barrier is missing between load and use.
//~ race
__global__ void heat_halo_bad(const float *now, float *next, float c)
{
    __shared__ float cell2[18][18];
    int tx = threadIdx.x + 1;
    int ty = threadIdx.y + 1;
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    cell2[ty][tx] = now[y * N + x]; //~ here
    if (threadIdx.x == 0) cell2[ty][0] = x > 0 ? now[y * N + x - 1] : 0.0f;
    if (threadIdx.x == 15) cell2[ty][17] = x < N - 1 ? now[y * N + x + 1] : 0.0f;
    if (threadIdx.y == 0) cell2[0][tx] = y > 0 ? now[(y - 1) * N + x] : 0.0f;
    if (threadIdx.y == 15) cell2[17][tx] = y < N - 1 ? now[(y + 1) * N + x] : 0.0f;
    float side = cell2[ty][tx - 1] + cell2[ty][tx + 1]; //~ here
    float above = cell2[ty - 1][tx] + cell2[ty + 1][tx]; //~ here
    next[y * N + x] = cell2[ty][tx] + c * (side + above - 4.0f * cell2[ty][tx]);
}

// No second plate: the step overwrites cells which neighbours still read, within the block and
// across its edges.
//~ race
__global__ void heat_in_place_bad(float *plate, float c)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x > 0 && x < N - 1 && y > 0 && y < N - 1) {
        float side = plate[y * N + x - 1] + plate[y * N + x + 1]; //~ here
        float above = plate[(y - 1) * N + x] + plate[(y + 1) * N + x]; //~ here
        plate[y * N + x] += c * (side + above - 4.0f * plate[y * N + x]); //~ here
    }
}

// Two plates, global memory only: reads and writes never meet.
//~ race-free
__global__ void heat_two_plates_ok(const float *now, float *next, float c)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x > 0 && x < N - 1 && y > 0 && y < N - 1) {
        float side = now[y * N + x - 1] + now[y * N + x + 1];
        float above = now[(y - 1) * N + x] + now[(y + 1) * N + x];
        next[y * N + x] = now[y * N + x] + c * (side + above - 4.0f * now[y * N + x]);
    }
}
