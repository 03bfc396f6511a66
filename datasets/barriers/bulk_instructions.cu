//--blockDim=128 --gridDim=2
// Instructions of bulk copies, barriers in memory and clusters by the functions of libcu++: tensor maps, bytes that are expected without an
// arrival, arrivals by themselves, handles of barriers that are objects.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
namespace cde = cuda::device::experimental;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Bytes are expected first, and the arrival comes after them.
//~ race-free
__global__ void expect_apart_ok(const int *in, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (t == 0) {
        ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full, 512);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in + blockIdx.x * 128, 512, &full);
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) { }
    out[blockIdx.x * 128 + t] = s[127 - t];
}

// [bytes] Half of the bytes are expected: the phase may end before the copy does, or never, if all come at once.
//~ race
__global__ void expect_half_bad(const int *in, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (t == 0) {
        ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full, 256);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in + blockIdx.x * 128, 512, &full); //~ here
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) { } //~ here
    out[blockIdx.x * 128 + t] = s[127 - t]; //~ here
}

// A box of a tensor map, whose bytes are expected.
//~ race-free
__global__ void tensor_tile_ok(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        const int at[2] = {0, int(blockIdx.x)};
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 512);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, &map, at, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) { }
    out[blockIdx.x * 128 + t] = s[127 - t];
}

// [wait] A barrier of the block does not wait for the box.
//~ race potential
__global__ void tensor_tile_bad(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        const int at[2] = {0, int(blockIdx.x)};
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 512);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, &map, at, &full); //~ here
    }
    __syncthreads();
    out[blockIdx.x * 128 + t] = s[127 - t]; //~ here
}

// The same by the function for two dimensions, with a barrier that is an object.
//~ race-free
__global__ void tensor_2d_ok(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (t == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(s, &map, 0, blockIdx.x, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, 512);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    out[blockIdx.x * 128 + t] = s[127 - t];
}

// [wait] The tile is read before the wait.
//~ race potential
__global__ void tensor_2d_bad(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (t == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(s, &map, 0, blockIdx.x, bar); //~ here
        token = cuda::device::barrier_arrive_tx(bar, 1, 512);
    } else {
        token = bar.arrive();
    }
    out[blockIdx.x * 128 + t] = s[127 - t]; //~ here
    bar.wait(std::move(token));
}

// A box is copied out: where the map's memory is, is not known.
//~ unknown
__global__ void tensor_out_unknown(const __grid_constant__ CUtensorMap map, const int *in)
{
    __shared__ alignas(128) int s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (t == 0) {
        cde::cp_async_bulk_tensor_2d_shared_to_global(&map, 0, blockIdx.x, s);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

// The bytes are expected of an object, whose word the instruction takes.
//~ race-free
__global__ void expect_of_object_ok(const int *in, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    if (t == 0) {
        cuda::device::barrier_expect_tx(bar, 512);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in + blockIdx.x * 128, 512,
                           cuda::device::barrier_native_handle(bar));
        token = bar.arrive();
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    out[blockIdx.x * 128 + t] = s[127 - t];
}

// The same with one arrival for all threads, behind the branch.
//~ fp_race-free
__global__ void expect_of_object_behind_ok(const int *in, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    if (t == 0) {
        cuda::device::barrier_expect_tx(bar, 512);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in + blockIdx.x * 128, 512,
                           cuda::device::barrier_native_handle(bar));
    }
    block_barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
    out[blockIdx.x * 128 + t] = s[127 - t];
}

// [wait] Nobody waits for the phase.
//~ race
__global__ void expect_of_object_bad(const int *in, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    if (t == 0) {
        cuda::device::barrier_expect_tx(bar, 512);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in + blockIdx.x * 128, 512, //~ here
                           cuda::device::barrier_native_handle(bar));
    }
    __syncthreads();
    out[blockIdx.x * 128 + t] = s[127 - t]; //~ here
}

// The blocks of a cluster exchange an element, with a barrier of the cluster in two halves.
//~ race-free
__global__ void __cluster_dims__(2) cluster_halves_ok(int *out)
{
    __shared__ int s;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) s = blockIdx.x;
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    int other = *cluster.map_shared_rank(&s, cluster.block_rank() ^ 1);
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    out[blockIdx.x * 128 + threadIdx.x] = other;
}

// [cluster] The other block's element is read before the barrier.
//~ race
__global__ void __cluster_dims__(2) cluster_halves_bad(int *out)
{
    __shared__ int s;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) s = blockIdx.x; //~ here
    int other = *cluster.map_shared_rank(&s, cluster.block_rank() ^ 1); //~ here
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    out[blockIdx.x * 128 + threadIdx.x] = other;
}

// Grids of several devices are not followed.
//~ unknown
__global__ void multi_grid_unknown(int *out, int *sums)
{
    cg::multi_grid_group all = cg::this_multi_grid();
    if (threadIdx.x == 0) sums[blockIdx.x] = blockIdx.x;
    all.sync();
    out[blockIdx.x * 128 + threadIdx.x] = sums[1 - blockIdx.x];
}
