//--blockDim=64 --gridDim=1
// Trap: decreasing strided loops

// [carried] The step is 32 for 64 threads: thread 32 in iteration 0 and thread 0 in iteration 1 meet.
//~ race
__global__ void decreasing_stride_bad(int *g, int n)
{
    int t = threadIdx.x;
    for (int i = n - 1 - t; i >= 0; i -= 32) g[i] = t; //~ here
}

// A step of blockDim keeps residues apart.
//~ race-free
__global__ void decreasing_stride_ok(int *g, int n)
{
    int t = threadIdx.x;
    for (int i = n - 1 - t; i >= 0; i -= blockDim.x) g[i] = t;
}

// [carried] The neighbour's element is read in a loop that runs downwards.
//~ race
__global__ void decreasing_neighbour_bad(int *g)
{
    int t = threadIdx.x;
    for (int i = 255 - t; i > 0; i -= 64) g[i] = g[i - 1]; //~ here
}

// Reads and writes go to two arrays.
//~ race-free
__global__ void decreasing_neighbour_ok(int *g, const int *h)
{
    int t = threadIdx.x;
    for (int i = 255 - t; i > 0; i -= 64) g[i] = h[i - 1];
}
