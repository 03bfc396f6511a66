//--blockDim=64 --gridDim=4
// Clusters: blocks that wait for each other, and reach each other's shared memory.
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;

// Each block reads what the other one of its cluster has stored.
//~ race-free
__global__ void __cluster_dims__(2, 1, 1) cluster_swap_ok(const int *in, int *out)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    cluster.sync();
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + t] = other[63 - t];
    cluster.sync();
}

// [cluster] Nothing stands between the store and the read of the other block.
//~ race
__global__ void __cluster_dims__(2, 1, 1) cluster_swap_bad(const int *in, int *out)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t]; //~ here
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + t] = other[63 - t]; //~ here
    cluster.sync();
}

// [cluster] A barrier of the block does not wait for the other block.
//~ race
__global__ void __cluster_dims__(2, 1, 1) cluster_block_barrier_bad(const int *in, int *out)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t]; //~ here
    __syncthreads();
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + t] = other[t]; //~ here
    cluster.sync();
}

// [carried] The next round's store meets the reads of the other block.
//~ race
__global__ void __cluster_dims__(2, 1, 1) cluster_rounds_bad(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, sum = 0;
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    for (int k = 0; k < n; k++) {
        s[t] = in[k * 64 + t]; //~ here
        cluster.sync();
        sum += other[63 - t]; //~ here
    }
    out[blockIdx.x * 64 + t] = sum;
    cluster.sync();
}

// A second barrier in each round.
//~ race-free
__global__ void __cluster_dims__(2, 1, 1) cluster_rounds_ok(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, sum = 0;
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    for (int k = 0; k < n; k++) {
        s[t] = in[k * 64 + t];
        cluster.sync();
        sum += other[63 - t];
        cluster.sync();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// Each block stores into the next one, element by element of its own.
//~ race-free
__global__ void __cluster_dims__(4, 1, 1) cluster_pass_on_ok(const int *in, int *out)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    int *next = cluster.map_shared_rank(s, (cluster.block_rank() + 1) % cluster.num_blocks());
    next[t] = in[blockIdx.x * 64 + t];
    cluster.sync();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// [cluster] All blocks of the cluster store into the first one.
//~ race
__global__ void __cluster_dims__(4, 1, 1) cluster_to_first_bad(const int *in, int *out)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    int *first = cluster.map_shared_rank(s, 0);
    first[t] = in[blockIdx.x * 64 + t]; //~ here
    cluster.sync();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// Each into a part of its own, and the first sums up.
//~ race-free
__global__ void __cluster_dims__(4, 1, 1) cluster_gather_ok(const int *in, int *out)
{
    __shared__ int s[4][64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    int *first = cluster.map_shared_rank(&s[0][0], 0);
    first[rank * 64 + t] = in[blockIdx.x * 64 + t];
    cluster.sync();
    if (rank == 0) out[blockIdx.x * 64 + t] = s[0][t] + s[1][t] + s[2][t] + s[3][t];
}

// The barrier of a cluster orders the threads of the block.
//~ race-free
__global__ void __cluster_dims__(2, 1, 1) cluster_own_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    cg::this_cluster().sync();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// [cluster] Global memory of blocks of two clusters is ordered by no barrier of a cluster.
//~ race potential
__global__ void __cluster_dims__(2, 1, 1) cluster_global_bad(int *data, int *out)
{
    int t = threadIdx.x, b = blockIdx.x;
    data[b * 64 + t] = t; //~ here
    cg::this_cluster().sync();
    out[b * 64 + t] = data[((b + 2) % 4) * 64 + t]; //~ here
}

// Global memory of blocks of one cluster is, which is not followed.
//~ fp_race-free
__global__ void __cluster_dims__(2, 1, 1) cluster_global_ok(int *data, int *out)
{
    int t = threadIdx.x, b = blockIdx.x;
    data[b * 64 + t] = t;
    cg::this_cluster().sync();
    out[b * 64 + t] = data[(b ^ 1) * 64 + t];
}

// Arrival and wait apart: what stands between touches memory of the thread's own.
//~ race-free
__global__ void __cluster_dims__(2, 1, 1) cluster_split_ok(const int *in, int *out)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    cuda::ptx::barrier_cluster_arrive();
    int own = in[t];
    cuda::ptx::barrier_cluster_wait();
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + t] = own + other[63 - t];
    cluster.sync();
}

// [cluster] The store stands between arrival and wait: others may be past the wait.
//~ race
__global__ void __cluster_dims__(2, 1, 1) cluster_split_bad(const int *in, int *out)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    s[t] = in[blockIdx.x * 64 + t]; //~ here
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + t] = other[63 - t]; //~ here
    cluster.sync();
}

// [cluster] A block may end while the other one reads its memory: that is told, and no finding.
//~ fn_race
__global__ void __cluster_dims__(2, 1, 1) cluster_ends_bad(const int *in, int *out)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    cluster.sync();
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + t] = other[63 - t];
}

__device__ __forceinline__ unsigned in_block(const void *own, unsigned rank)
{
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(own)), there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

__device__ __forceinline__ unsigned own_rank()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ __forceinline__ int load_there(unsigned address)
{
    int value;
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(value) : "r"(address)); //~ here
    return value;
}

__device__ __forceinline__ void store_there(unsigned address, int value)
{
    asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(address), "r"(value) : "memory"); //~ here
}

// By instructions: each block reads what the other one has stored.
//~ race-free
__global__ void __cluster_dims__(2, 1, 1) cluster_mapa_ok(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    cg::this_cluster().sync();
    out[blockIdx.x * 64 + t] = load_there(in_block(&s[63 - t], own_rank() ^ 1));
    cg::this_cluster().sync();
}

// [cluster] Nothing stands between the store and the read of the other block.
//~ race
__global__ void __cluster_dims__(2, 1, 1) cluster_mapa_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t]; //~ here
    out[blockIdx.x * 64 + t] = load_there(in_block(&s[63 - t], own_rank() ^ 1));
    cg::this_cluster().sync();
}

// [same place] Both blocks store to one place of the first.
//~ race
__global__ void __cluster_dims__(2, 1, 1) cluster_mapa_store_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    cg::this_cluster().sync();
    store_there(in_block(&s[t], 0), own_rank());
    cg::this_cluster().sync();
    out[blockIdx.x * 64 + t] = s[t];
}

// Each stores to the other.
//~ race-free
__global__ void __cluster_dims__(2, 1, 1) cluster_mapa_store_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    cg::this_cluster().sync();
    store_there(in_block(&s[t], own_rank() ^ 1), own_rank());
    cg::this_cluster().sync();
    out[blockIdx.x * 64 + t] = s[t];
}
