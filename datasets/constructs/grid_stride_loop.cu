// Construct: grid-stride loops for any launch

// Residues modulo gridDim*blockDim are distinct.
//~ race-free
__global__ void grid_stride_ok(int *g, int n)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) g[i] = i;
}

// [cross-block] The step leaves out gridDim: blocks sweep each other's elements.
//~ race
__global__ void grid_stride_bad(int *g, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        g[i] = blockIdx.x; //~ here
}

// [cross-block] Each thread also writes the next element.
//~ race
__global__ void grid_stride_neighbour_bad(int *g, int n)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + 1 < n; i += step) {
        g[i] = 1; //~ here
        g[i + 1] = 2; //~ here
    }
}

// Two elements an iteration, twice the step.
//~ race-free
__global__ void grid_stride_pairs_ok(int *g, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int step = 2 * threads;
    for (int i = 2 * first; i + 1 < n; i += step) {
        g[i] = 1;
        g[i + 1] = 2;
    }
}

// Downwards.
//~ race-free
__global__ void grid_stride_down_ok(int *g, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    for (int i = n - 1 - first; i >= 0; i -= step) g[i] = i;
}
