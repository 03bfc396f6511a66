//--blockDim=32 --gridDim=2 --warp-sync=32
// Asynchronous copies in warps whose lanes go in step: what is copied is no instruction of a lane.
#include <cuda/ptx>
namespace ptx = cuda::ptx;

// [wait] The lanes read at the next instruction, and the copy is made at some later time.
//~ race
__global__ void step_behind_copy_bad(const int *in, int *out)
{
    __shared__ alignas(128) int row[32];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 128);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, in + blockIdx.x * 32, 128, &full); //~ here
    }
    if (t > 0) out[blockIdx.x * 32 + t] = row[31 - t]; //~ here
}

// They wait for it.
//~ race-free
__global__ void step_behind_wait_ok(const int *in, int *out)
{
    __shared__ alignas(128) int row[32];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 128);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, in + blockIdx.x * 32, 128, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) { }
    out[blockIdx.x * 32 + t] = row[31 - t];
}

// [fence] The lanes store first, in step, and the other proxy is told nothing of it.
//~ race
__global__ void step_unfenced_bad(int *out)
{
    __shared__ alignas(128) int row[32];
    int t = threadIdx.x;
    if (t > 0) row[t] = t; //~ here
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * 32, row, 128); //~ here
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

// Each of them tells it.
//~ race-free
__global__ void step_fenced_ok(int *out)
{
    __shared__ alignas(128) int row[32];
    int t = threadIdx.x;
    row[t] = t;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * 32, row, 128);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
