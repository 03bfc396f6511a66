// Contents: values that lanes hand to each other, in blocks of any size

// Each warp that is whole writes to a part of its own, each flagged lane to a place of its own.
//~ race-free
__global__ void any_warp_scan_ok(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 1024;
    int keep = in[base + t] > 0, sum = keep;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (keep && blockDim.x % 32 == 0) out[base + t - lane + sum - 1] = t;
}

// [scan] All warps write to the part of the first.
//~ race
__global__ void any_warp_scan_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % 32, base = blockIdx.x * 1024;
    int keep = in[base + t] > 0, sum = keep;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (keep && blockDim.x % 32 == 0) out[base + sum - 1] = t; //~ here
}

// A butterfly in blocks of whole warps: one value, one way.
//~ race-free
__global__ void any_butterfly_ok(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    if (v > 5 && blockDim.x % 32 == 0) {
        __syncwarp();
        out[blockIdx.x * blockDim.x + threadIdx.x] = v;
    }
}

// [butterfly] A value of the half of a warp.
//~ divergence
__global__ void any_butterfly_short_bad(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 8; d > 0; d /= 2) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    if (v > 5 && blockDim.x % 32 == 0) {
        __syncwarp(); //~ here
        out[blockIdx.x * blockDim.x + threadIdx.x] = v;
    }
}

// The first lane has the largest number of its warp, and is the only one to write it.
//~ race-free
__global__ void any_leader_ok(const int *in, int *most)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[t];
    for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_down_sync(0xffffffff, v, d));
    if (threadIdx.x % 32 == 0) most[t] = v;
}

// Runs of numbers: each lane fills the elements that it counted, each warp in a part of its own.
//~ race-free
__global__ void any_runs_ok(const int *in, int *out)
{
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int count = in[blockIdx.x * 1024 + t] & 3, sum = count;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (blockDim.x % 32 == 0)
        for (int i = 0; i < count; i++) out[(size_t)blockIdx.x * 3072 + warp * 96 + sum - count + i] = t;
}

// [extent] The parts of the warps are too close.
//~ race
__global__ void any_runs_close_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int count = in[blockIdx.x * 1024 + t] & 3, sum = count;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    if (blockDim.x % 32 == 0)
        for (int i = 0; i < count; i++) out[(size_t)blockIdx.x * 3072 + warp * 64 + sum - count + i] = t; //~ here
}

// In a block that ends within a warp, the lanes that are not there hand on nothing.
//~ divergence
__global__ void any_part_bad(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    if (v > 5) {
        __syncwarp(); //~ here
        out[blockIdx.x * blockDim.x + threadIdx.x] = v;
    }
}
