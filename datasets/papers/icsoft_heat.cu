//--blockDim=128 --gridDim=4
// After Sarkar et al. (ICSOFT 2018), program "heat conduction": errors seeded into a clean kernel.
// A rod is cut into stretches of 128 cells, each block lets its own settle.

// Two buffers' worth of phases: read, barrier, write, barrier.
//~ race-free
__global__ void icsoft_heat_ok(float *rod, int steps)
{
    __shared__ float cell[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    cell[t] = rod[i];
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        float v = cell[t];
        if (t > 0 && t < 127) v = 0.25f * (cell[t - 1] + 2.0f * v + cell[t + 1]);
        __syncthreads();
        cell[t] = v;
        __syncthreads();
    }
    rod[i] = cell[t];
}

// Seed 1, barrier removed, read after write: neighbours are read before they are loaded.
//~ race
__global__ void icsoft_heat_raw_bad(float *rod, int steps)
{
    __shared__ float cell2[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    cell2[t] = rod[i]; //~ here
    for (int k = 0; k < steps; k++) {
        float v = cell2[t];
        if (t > 0 && t < 127) v = 0.25f * (cell2[t - 1] + 2.0f * v + cell2[t + 1]); //~ here
        __syncthreads();
        cell2[t] = v;
        __syncthreads();
    }
    rod[i] = cell2[t];
}

// Seed 2, barrier removed, write after read: a cell is written while its neighbours read it.
//~ race
__global__ void icsoft_heat_war_bad(float *rod, int steps)
{
    __shared__ float cell3[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    cell3[t] = rod[i];
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        float v = cell3[t];
        if (t > 0 && t < 127) v = 0.25f * (cell3[t - 1] + 2.0f * v + cell3[t + 1]); //~ here
        cell3[t] = v; //~ here
        __syncthreads();
    }
    rod[i] = cell3[t];
}

// Seed 4, false data locality: the branch asks for the cell's own heat, as if that were the same in
// all threads, and holds a barrier.
//~ divergence
__global__ void icsoft_heat_locality_bad(float *rod, int steps)
{
    __shared__ float cell4[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    cell4[t] = rod[i];
    for (int k = 0; k < steps; k++) {
        if (cell4[t] > 1.0f) {
            cell4[t] = 0.5f * cell4[t];
            __syncthreads(); //~ here
        }
    }
    rod[i] = cell4[t];
}
