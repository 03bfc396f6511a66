//--blockDim=128 --gridDim=4
// After Chong et al., "Barrier Invariants" (OOPSLA 2013): stream compaction. The places come from a
// prefix sum of the flags, so it is the sum's monotonicity that keeps two kept elements apart.

// Kept elements t < u have sum(t) < sum(u) before them. Nothing less than that fact excludes the
// race on the output.
//~ race-free
__global__ void prefix_compact_ok(const int *in, int *out)
{
    __shared__ int place[128];
    int t = threadIdx.x;
    int base = blockIdx.x * 128;
    int v = in[base + t];
    int keep = v > 0 ? 1 : 0;
    place[t] = keep;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int x = 0;
        if (t >= d) x = place[t - d];
        __syncthreads();
        if (t >= d) place[t] += x;
        __syncthreads();
    }
    if (keep) out[base + place[t] - 1] = v;
}

// The elements that are not kept are stored as well: they have the place of the last kept one.
//~ race
__global__ void prefix_compact_all_bad(const int *in, int *out)
{
    __shared__ int place2[128];
    int t = threadIdx.x;
    int base = blockIdx.x * 128;
    int v = in[base + t];
    int keep = v > 0 ? 1 : 0;
    place2[t] = keep;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int x = 0;
        if (t >= d) x = place2[t - d];
        __syncthreads();
        if (t >= d) place2[t] += x;
        __syncthreads();
    }
    out[base + place2[t]] = v; //~ here
}

// The sum is taken before the others have finished their last step; places read too early may then
// coincide.
//~ race
__global__ void prefix_compact_barrier_bad(const int *in, int *out)
{
    __shared__ int place3[128];
    int t = threadIdx.x;
    int base = blockIdx.x * 128;
    int v = in[base + t];
    int keep = v > 0 ? 1 : 0;
    place3[t] = keep;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int x = 0;
        if (t >= d) x = place3[t - d];
        __syncthreads();
        if (t >= d) place3[t] += x; //~ here
        if (d < 64) __syncthreads();
    }
    int before = t > 0 ? place3[t - 1] : 0; //~ here
    if (keep) out[base + before] = v; //~ here
}

// Without a sum: the element's own position is a place of its own, holes included.
//~ race-free
__global__ void prefix_compact_holes_ok(const int *in, int *out)
{
    int g = blockIdx.x * 128 + threadIdx.x;
    int v = in[g];
    if (v > 0) out[g] = v;
}
