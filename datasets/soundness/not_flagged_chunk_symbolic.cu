// Row: must not be flagged: four consecutive elements per global thread, any launch

// i is a signed int, so i*4 + j does not overflow: rows of four are private for every launch.
//~ race-free
__global__ void not_flagged_chunk_symbolic_ok(int *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < 4; j++) g[i * 4 + j] = j + i;
}

// [extent] Rows of four, written at a distance of three.
//~ race
__global__ void not_flagged_chunk_symbolic_bad(int *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < 4; j++) g[i * 3 + j] = j + i; //~ here
}
