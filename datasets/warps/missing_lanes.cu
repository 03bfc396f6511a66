// Shuffles in the last warp of a block, which may have fewer lanes.

// All warps are whole.
//~ race-free
__global__ void sum_whole_ok(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}

// [mask] The last warp has 16 lanes, and its first takes the value of the lane 16.
//~ divergence potential
__global__ void sum_part_bad(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d); //~ here
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}

// [mask] The same by lanes further on.
//~ divergence potential
__global__ void down_part_bad(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d); //~ here
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}

// Segments of 16 lanes: the last warp has one, and it is whole.
//~ race-free
__global__ void down_segments_ok(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 8; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d, 16);
    if (threadIdx.x % 16 == 0) out[threadIdx.x / 16] = v;
}

// [mask] Each warp takes the value of its last lane.
//~ divergence potential
__global__ void last_part_bad(const int *in, int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffffu, in[threadIdx.x], 31); //~ here
}

// From lanes before, the first lane gets its own.
//~ race-free
__global__ void up_part_ok(const int *in, int *out)
{
    out[threadIdx.x] = __shfl_up_sync(0xffffffffu, in[threadIdx.x], 1);
}

void go(const int *in, int *out)
{
    sum_whole_ok<<<1, 128>>>(in, out);
    sum_part_bad<<<1, 112>>>(in, out);
    down_part_bad<<<1, 112>>>(in, out);
    down_segments_ok<<<1, 112>>>(in, out);
    last_part_bad<<<1, 112>>>(in, out);
    up_part_ok<<<1, 112>>>(in, out);
}
