//--blockDim=128 --gridDim=2
// Bulk copies by the functions of libcu++, with barriers that are objects.
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>
namespace ptx = cuda::ptx;
namespace cde = cuda::device::experimental;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// One thread issues the copy and arrives with its bytes, the others arrive; all wait for the phase of their own arrival.
//~ race-free
__global__ void tx_token_ok(const int *in, int *out)
{
    __shared__ alignas(128) int s[256];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (t == 0) {
        cde::cp_async_bulk_global_to_shared(s, in + blockIdx.x * 256, sizeof(s), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(s));
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    out[blockIdx.x * 128 + t] = s[t] + s[255 - t];
}

// [bytes] The thread arrives without its bytes: the phase need not wait for them, and never ends if they come before.
//~ race
__global__ void tx_token_bytes_bad(const int *in, int *out)
{
    __shared__ alignas(128) int s[256];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (t == 0) cde::cp_async_bulk_global_to_shared(s, in + blockIdx.x * 256, sizeof(s), bar); //~ here
    token = bar.arrive();
    bar.wait(std::move(token)); //~ here
    out[blockIdx.x * 128 + t] = s[t] + s[255 - t]; //~ here
}

// [wait] The tile is read before the wait.
//~ race
__global__ void tx_token_early_bad(const int *in, int *out)
{
    __shared__ alignas(128) int s[256];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (t == 0) {
        cde::cp_async_bulk_global_to_shared(s, in + blockIdx.x * 256, sizeof(s), bar); //~ here
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(s));
    } else {
        token = bar.arrive();
    }
    out[blockIdx.x * 128 + t] = s[t] + s[255 - t]; //~ here
    bar.wait(std::move(token));
}

// The same with `memcpy_async_tx`, and the tile is copied out again.
//~ race-free
__global__ void tx_round_trip_ok(const int *in, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    if (t == 0) {
        cuda::device::memcpy_async_tx(s, in + blockIdx.x * 128, cuda::aligned_size_t<16>(512), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, 512);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    s[t] += 1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (t == 0) {
        cde::cp_async_bulk_shared_to_global(out + blockIdx.x * 128, s, 512);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

// [fence] The copy out need not see what the threads have added.
//~ race potential
__global__ void tx_round_trip_bad(const int *in, int *out)
{
    __shared__ alignas(128) int s[128];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    if (t == 0) {
        cuda::device::memcpy_async_tx(s, in + blockIdx.x * 128, cuda::aligned_size_t<16>(512), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, 512);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    s[t] += 1; //~ here
    __syncthreads();
    if (t == 0) {
        cde::cp_async_bulk_shared_to_global(out + blockIdx.x * 128, s, 512); //~ here
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

// Two stages by functions of cuda::ptx; all threads wait, and a barrier of the block frees a stage.
//~ race-free
__global__ void ptx_stages_ok(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[2][128];
    __shared__ uint64_t full[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[k % 2], 512);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s[k % 2], in + k * 128, 512, &full[k % 2]);
        }
        while (!ptx::mbarrier_try_wait_parity(&full[k % 2], (k / 2) & 1)) { }
        sum += s[k % 2][127 - t];
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = sum;
}

// [phase] The barrier of the other stage is waited for, which nobody arrives at in the first round.
//~ race
__global__ void ptx_stages_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[2][128];
    __shared__ uint64_t full[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[k % 2], 512);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s[k % 2], in + k * 128, 512, &full[k % 2]); //~ here
        }
        while (!ptx::mbarrier_try_wait_parity(&full[(k + 1) % 2], (k / 2) & 1)) { } //~ here
        sum += s[k % 2][127 - t]; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = sum;
}
