//--blockDim=64 --gridDim=2
// Barriers that are objects: cuda::barrier, and what else there is of them.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <utility>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Initialised for all threads of the block, which all arrive and wait.
//~ race-free
__global__ void object_wait_ok(int *out)
{
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[t] = t;
    bar.arrive_and_wait();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// [object] The threads arrive before they write.
//~ race
__global__ void object_wait_bad(int *out)
{
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    bar.arrive_and_wait();
    s[t] = t; //~ here
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// Round a loop it is a barrier like any other.
//~ race-free
__global__ void object_rounds_ok(int *out, int n)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    auto block = cg::this_thread_block();
    int t = threadIdx.x, x = 0;
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    for (int i = 0; i < n; i++) {
        s[t] = i;
        bar.arrive_and_wait();
        x += s[63 - t];
        bar.arrive_and_wait();
    }
    out[blockIdx.x * 64 + t] = x;
}

// [object] The next round's write meets the reads of this one.
//~ race
__global__ void object_rounds_bad(int *out, int n)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    auto block = cg::this_thread_block();
    int t = threadIdx.x, x = 0;
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    for (int i = 0; i < n; i++) {
        s[t] = i; //~ here
        bar.arrive_and_wait();
        x += s[63 - t]; //~ here
    }
    out[blockIdx.x * 64 + t] = x;
}

// [object] Nobody waits for the first thread to initialise it.
//~ race
__global__ void object_init_bad(int *out)
{
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x); //~ here
    bar.arrive_and_wait(); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// Arriving and waiting with nothing in between.
//~ race-free
__global__ void object_token_ok(int *out)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 64);
    __syncthreads();
    s[t] = t;
    block_barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// [object] What they arrive at and never wait for orders nothing.
//~ race
__global__ void object_token_bad(int *out)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 64);
    __syncthreads();
    s[t] = t; //~ here
    auto token = bar.arrive();
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// Work between arriving and waiting is ordered with neither side: here it touches nothing that others do.
//~ race-free
__global__ void object_split_ok(int *out)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[t] = t;
    auto token = bar.arrive();
    out[blockIdx.x * 64 + t] = t;
    bar.wait(std::move(token));
}

// The barrier is for one warp, whose lanes all come.
//~ race-free
__global__ void object_of_warp(int *out)
{
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 32);
    __syncthreads();
    if (t < 32) bar.arrive_and_wait();
    out[blockIdx.x * 64 + t] = t;
}

// [object] Some threads of the block never arrive.
//~ divergence
__global__ void object_divergent_bad(int *out)
{
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    if (t != 5) bar.arrive_and_wait(); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// All of them arrive, each in its own arm: which arrivals belong together is not modelled.
//~ unknown
__global__ void object_arms_open(int *out)
{
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    if (t < 32) bar.arrive_and_wait();
    else bar.arrive_and_wait();
    out[blockIdx.x * 64 + t] = t;
}

// A copy that signals the barrier is done when they have waited there.
//~ race-free
__global__ void object_copy_ok(const int *in, int *out)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, s, in, sizeof(int) * 64, bar);
    bar.arrive_and_wait();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// [object] Nobody waits for the copy.
//~ race
__global__ void object_copy_bad(const int *in, int *out)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, s, in, sizeof(int) * 64, bar); //~ here
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// Each thread copies its own element.
//~ race-free
__global__ void object_copy_own_ok(const int *in, int *out)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&s[t], &in[t], cuda::aligned_size_t<4>(sizeof(int)), bar);
    bar.arrive_and_wait();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// [object] Two threads copy to one element.
//~ race
__global__ void object_copy_own_bad(const int *in, int *out)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&s[t / 2], &in[t], sizeof(int), bar); //~ here
    bar.arrive_and_wait();
    out[blockIdx.x * 64 + t] = s[t / 2];
}

// [object] Another barrier than the copy signals is waited at.
//~ race
__global__ void object_other_bad(const int *in, int *out)
{
    __shared__ int s[64];
    __shared__ block_barrier bar, other;
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar, blockDim.x);
        init(&other, blockDim.x);
    }
    __syncthreads();
    cuda::memcpy_async(&s[t], &in[t], sizeof(int), bar); //~ here
    other.arrive_and_wait();
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
    bar.arrive_and_wait();
}

// Barriers in memory by instructions: they arrive, and nobody waits.
//~ race-free
__global__ void object_instructions(int *out)
{
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64));
    __syncthreads();
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
    out[blockIdx.x * 64 + t] = t;
}

// [object] The same by functions.
//~ unknown
__global__ void object_functions(int *out)
{
    __shared__ __mbarrier_t bar;
    int t = threadIdx.x;
    if (t == 0) __mbarrier_init(&bar, 64);
    __syncthreads();
    __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token)) { }
    out[blockIdx.x * 64 + t] = t;
}

// [object] Nobody expects the bytes of the copy: its end is not waited for.
//~ race
__global__ void object_bulk_copy(const int *in, int *out)
{
    __shared__ alignas(128) int s[64];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    unsigned to = (unsigned)__cvta_generic_to_shared(s), at = (unsigned)__cvta_generic_to_shared(&bar);
    if (t == 0) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" //~ here
                     ::"r"(to), "l"(in), "r"(256), "r"(at) : "memory");
    }
    bar.arrive_and_wait();
    out[blockIdx.x * 64 + t] = s[t]; //~ here
}

// A cluster is several blocks: its barrier is one of the block, too.
//~ race-free
__global__ void object_cluster(int *out)
{
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    cluster.sync();
    out[blockIdx.x * 64 + t] = t;
}

// [divergence] The threads of the arm arrive once more than the others.
//~ divergence
__global__ void object_once_more_bad(int *out)
{
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    if (t < 32) bar.arrive_and_wait(); //~ here
    bar.arrive_and_wait();
    out[blockIdx.x * 64 + t] = t;
}

// A warp fills two stages in turn, another one reads them: objects for one warp each, waited for by parity.
//~ race-free
__global__ void object_ring_ok(const int *in, int *out, int n)
{
    __shared__ int s[2][32];
    __shared__ block_barrier full[2], empty[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            init(&full[i], 32);
            init(&empty[i], 32);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            empty[k % 2].wait_parity(((k / 2) & 1) ^ 1);
            s[k % 2][t] = in[k * 32 + t];
            full[k % 2].arrive();
        }
    } else {
        for (int k = 0; k < n; k++) {
            full[k % 2].wait_parity((k / 2) & 1);
            sum += s[k % 2][63 - t];
            empty[k % 2].arrive();
        }
        out[blockIdx.x * 32 + t - 32] = sum;
    }
}

// [phase] The reader never says that a stage is empty again, and the writer does not ask.
//~ race potential
__global__ void object_ring_bad(const int *in, int *out, int n)
{
    __shared__ int s[2][32];
    __shared__ block_barrier full[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 2; i++) init(&full[i], 32);
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            s[k % 2][t] = in[k * 32 + t]; //~ here
            full[k % 2].arrive();
        }
    } else {
        for (int k = 0; k < n; k++) {
            full[k % 2].wait_parity((k / 2) & 1);
            sum += s[k % 2][63 - t]; //~ here
        }
        out[blockIdx.x * 32 + t - 32] = sum;
    }
}

// The lanes of one warp meet among themselves.
//~ race-free
__global__ void object_of_warp_ok(int *out)
{
    __shared__ int s[32];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 32);
    __syncthreads();
    if (t < 32) {
        s[t] = t;
        bar.arrive_and_wait();
        out[blockIdx.x * 32 + t] = s[31 - t];
    }
}

// [object] All threads come to a barrier for half of them: each lets the other half's through.
//~ race potential
__global__ void object_of_half_bad(int *out)
{
    __shared__ int s[64];
    __shared__ block_barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 32);
    __syncthreads();
    s[t] = t; //~ here
    bar.arrive_and_wait();
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}
