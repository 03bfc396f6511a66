//--blockDim=32 --gridDim=1
// Shape of real bugs: ballot-compacted ids read by other lanes of the warp

// [warp-synchronous] The vote brings the lanes together before the stores, and orders no memory.
//~ race
__global__ void real_ballot_compaction_bad(const int *g, int *out)
{
    __shared__ int ids[32];
    int t = threadIdx.x;
    unsigned votes = __ballot_sync(0xffffffffu, g[t] > 0);
    int rank = __popc(votes & ((1u << t) - 1));
    if (g[t] > 0) ids[rank] = t; //~ here
    if (t < __popc(votes)) out[t] = ids[t]; //~ here
}

// A warp barrier between the stores and the reads.
//~ race-free
__global__ void real_ballot_compaction_ok(const int *g, int *out)
{
    __shared__ int ids[32];
    int t = threadIdx.x;
    unsigned votes = __ballot_sync(0xffffffffu, g[t] > 0);
    int rank = __popc(votes & ((1u << t) - 1));
    if (g[t] > 0) ids[rank] = t;
    __syncwarp();
    if (t < __popc(votes)) out[t] = ids[t];
}
