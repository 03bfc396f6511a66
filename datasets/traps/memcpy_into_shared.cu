//--blockDim=64 --gridDim=1
// Trap: memcpy into shared arrays

// [width] Four ints a thread at a distance of two.
//~ race
__global__ void memcpy_into_shared_bad(const int *g)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    memcpy(&s[2 * t], &g[4 * t], 4 * sizeof(int)); //~ here
}

// Four ints a thread at a distance of four.
//~ race-free
__global__ void memcpy_into_shared_ok(const int *g)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    memcpy(&s[4 * t], &g[4 * t], 4 * sizeof(int));
}

// [missing-barrier] Thread 0 copies the tile, the others use it at once.
//~ race
__global__ void memcpy_tile_bad(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) memcpy(s, g, sizeof(s)); //~ here
    out[t] = s[t]; //~ here
}

// With a barrier between copy and use.
//~ race-free
__global__ void memcpy_tile_ok(const int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) memcpy(s, g, sizeof(s));
    __syncthreads();
    out[t] = s[t];
}

// [width] memset clears a whole row of eight at a distance of seven, with different values.
//~ race
__global__ void memset_rows_bad()
{
    __shared__ char s[512];
    int t = threadIdx.x;
    memset(s + 7 * t, t, 8); //~ here
}

// Rows of eight at a distance of eight.
//~ race-free
__global__ void memset_rows_ok()
{
    __shared__ char s[512];
    int t = threadIdx.x;
    memset(s + 8 * t, t, 8);
}
