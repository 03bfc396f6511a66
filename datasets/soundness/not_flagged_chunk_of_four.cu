//--blockDim=64 --gridDim=4
// Row: must not be flagged: four consecutive elements per global thread

// (b*blockDim+t)*4 + j with j < 4: rows of four are private.
//~ race-free
__global__ void not_flagged_chunk_of_four_ok(int *g)
{
    int t = threadIdx.x, b = blockIdx.x;
    for (int j = 0; j < 4; j++) g[(b * blockDim.x + t) * 4 + j] = t + j;
}

// [extent] j reaches 4: the first element of the next thread.
//~ race
__global__ void not_flagged_chunk_of_four_bad(int *g)
{
    int t = threadIdx.x, b = blockIdx.x;
    for (int j = 0; j <= 4; j++) g[(b * blockDim.x + t) * 4 + j] = t + j; //~ here
}

// [cross-block] Without the block index, blocks write the same rows.
//~ race
__global__ void not_flagged_chunk_no_block_bad(int *g)
{
    int t = threadIdx.x, b = blockIdx.x;
    for (int j = 0; j < 4; j++) g[t * 4 + j] = b + j; //~ here
}
