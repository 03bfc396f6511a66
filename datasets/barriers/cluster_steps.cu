//--blockDim=64 --gridDim=8
// Clusters whose blocks come to the barriers of the cluster in step, or not: whichever barrier of the text it is, the blocks meet there.
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;

// [cluster] Each arm has two barriers; between them the one block stores where the other reads.
//~ race potential
__global__ void __cluster_dims__(2) arms_in_step_bad(int *out)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    mine[t] = 2 * t;
    int *theirs = cluster.map_shared_rank(mine, 1 - cluster.block_rank());
    if (cluster.block_rank() == 1) {
        cluster.sync();
        theirs[t] = -1; //~ here
        cluster.sync();
    } else {
        cluster.sync();
        out[blockIdx.x * 64 + t] = mine[t]; //~ here
        cluster.sync();
    }
}

// The same in order, which is not followed: the store stands in front of the barrier of its arm, and the read behind that of the other.
//~ fp_race-free
__global__ void __cluster_dims__(2) arms_in_step_ok(int *out)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    int *theirs = cluster.map_shared_rank(mine, 1 - cluster.block_rank());
    cluster.sync();
    if (cluster.block_rank() == 1) {
        theirs[t] = -1;
        cluster.sync();
    } else {
        cluster.sync();
        out[blockIdx.x * 64 + t] = mine[t];
    }
    cluster.sync();
}

// [cluster] One block passes a barrier more in front of what the other takes for the same barrier.
//~ race potential
__global__ void __cluster_dims__(2) one_more_bad(int *out)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    mine[t] = t * t;
    int *theirs = cluster.map_shared_rank(mine, rank ^ 1);
    if (rank == 0) {
        cluster.sync();
        out[blockIdx.x * 64 + t] = mine[t]; //~ here
    }
    cluster.sync();
    if (rank == 1) theirs[t] = 9; //~ here
    cluster.sync();
    if (rank == 1) cluster.sync();
}

// [cluster] How many rounds a block makes depends on what it reads; the blocks meet at barriers of different rounds.
//~ race potential
__global__ void __cluster_dims__(2) rounds_of_block_bad(const int *rounds, int *out)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    mine[t] = t;
    int *theirs = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    for (int k = 0; k < rounds[blockIdx.x]; k++) {
        cluster.sync();
        if (k == 0) theirs[t] = 7; //~ here
    }
    cluster.sync();
    out[blockIdx.x * 64 + t] = mine[t]; //~ here
    cluster.sync();
}

// [cluster] A block leaves the kernel, and is waited for no longer.
//~ race potential
__global__ void __cluster_dims__(2) leaves_early_bad(const int *done, int *out)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    mine[t] = t; //~ here
    if (done[blockIdx.x]) return;
    cluster.sync();
    int *theirs = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    theirs[t] = 5; //~ here
    cluster.sync();
}

// All blocks make equally many rounds, under a condition that is the same for all.
//~ race-free
__global__ void __cluster_dims__(2) rounds_of_all_ok(const int *in, int *out, int n, bool twice)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, sum = 0;
    const int *theirs = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    for (int k = 0; k < n; k++) {
        mine[t] = in[(blockIdx.x * n + k) * 64 + t];
        cluster.sync();
        sum += theirs[63 - t];
        if (k == 7) break;
        cluster.sync();
    }
    if (twice) {
        cluster.sync();
        mine[t] = sum;
        cluster.sync();
        sum += theirs[t];
    }
    out[blockIdx.x * 64 + t] = sum;
    cluster.sync();
}

// [cluster] How often the clusters go round is the same for the blocks of one, which is not followed.
//~ fp_race-free
__global__ void __cluster_dims__(2) rounds_of_cluster_ok(const int *in, int *out, int n)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    const int *theirs = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    for (int tile = blockIdx.x / 2; tile < n; tile += gridDim.x / 2) {
        mine[t] = in[(tile * 2 + cluster.block_rank()) * 64 + t];
        cluster.sync();
        out[(tile * 2 + cluster.block_rank()) * 64 + t] = theirs[63 - t];
        cluster.sync();
    }
}

// [cluster] Four blocks are in a cluster, whatever the comment says: two of them store into the first.
//~ race
__global__ void /* was __cluster_dims__(2) */ __cluster_dims__(4) told_in_comment_bad(int *out)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    cluster.sync();
    int *first = cluster.map_shared_rank(mine, 0);
    if (blockIdx.x % 2 == 1) first[t] = blockIdx.x; //~ here
    cluster.sync();
    out[blockIdx.x * 64 + t] = mine[t];
    cluster.sync();
}

// The same in clusters of two.
//~ race-free
__global__ void /* was __cluster_dims__(4) */ __cluster_dims__(2) told_in_comment_ok(int *out)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    cluster.sync();
    int *first = cluster.map_shared_rank(mine, 0);
    if (blockIdx.x % 2 == 1) first[t] = blockIdx.x;
    cluster.sync();
    out[blockIdx.x * 64 + t] = mine[t];
    cluster.sync();
}

// [cluster] The size of clusters is chosen by a directive, of which the text of the file tells both ways.
//~ fn_race
__global__ void
#ifdef SMALL_CLUSTERS
__cluster_dims__(2)
#else
__cluster_dims__(4)
#endif
told_by_directive_bad(int *out)
{
    __shared__ int mine[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    cluster.sync();
    int *first = cluster.map_shared_rank(mine, 0);
    if (blockIdx.x % 2 == 1) first[t] = blockIdx.x;
    cluster.sync();
    out[blockIdx.x * 64 + t] = mine[t];
    cluster.sync();
}
