//--blockDim=64 --gridDim=4
// Construct: tiles with a halo

// Tile and halo are loaded by different threads into different elements, then a barrier.
//~ race-free
__global__ void halo_tile_ok(const int *g, int *out)
{
    __shared__ int s[66];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t + 1] = g[i + 1];
    if (t == 0) s[0] = g[i];
    if (t == blockDim.x - 1) s[t + 2] = g[i + 2];
    __syncthreads();
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// [index] The left halo lands on the last element of the tile.
//~ race
__global__ void halo_tile_bad(const int *g, int *out)
{
    __shared__ int s[66];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t + 1] = g[i + 1]; //~ here
    if (t == 0) s[64] = g[i]; //~ here
    __syncthreads();
    out[i] = s[t] + s[t + 1];
}

// [missing-barrier] No barrier behind the load of the halo.
//~ race
__global__ void halo_tile_late_bad(const int *g, int *out)
{
    __shared__ int s[66];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t + 1] = g[i + 1];
    __syncthreads();
    if (t == 0) {
        s[0] = g[i];
        s[65] = g[i + 65]; //~ here
    }
    out[i] = s[t] + s[t + 1] + s[t + 2]; //~ here
}

// [cross-block] The tile is written back in place while the neighbouring block loads its halo.
//~ race
__global__ void halo_tile_in_place_bad(int *g)
{
    __shared__ int s[66];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t + 1] = g[i + 1];
    if (t == 0) s[0] = g[i]; //~ here
    if (t == 63) s[65] = g[i + 2]; //~ here
    __syncthreads();
    g[i + 1] = s[t] + s[t + 1] + s[t + 2]; //~ here
}
