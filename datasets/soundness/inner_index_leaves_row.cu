//--blockDim=64 --gridDim=1
// Row: the inner index leaves its row

// [extent] s[t][16] is s[t+1][0]: rows are private only while the inner index is in its extent.
//~ race
__global__ void inner_index_leaves_row_bad()
{
    __shared__ int s[64][16];
    int t = threadIdx.x;
    for (int j = 0; j <= 16; j++) s[t][j] = t; //~ here
}

// The inner index stays below 16.
//~ race-free
__global__ void inner_index_leaves_row_ok()
{
    __shared__ int s[64][16];
    int t = threadIdx.x;
    for (int j = 0; j < 16; j++) s[t][j] = t;
}
