//--blockDim=64 --gridDim=2
// Asynchronous copies: a write that is done when it has been waited for.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

// The thread waits for its copy, then the block for the thread.
//~ race-free
__global__ void copy_own_ok(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// [copy] Waiting for one's own copy is not waiting for the others'.
//~ race
__global__ void copy_own_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); //~ here
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// [copy] The barrier comes before the wait: the copy may still be under way behind it.
//~ race
__global__ void copy_late_wait_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); //~ here
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// Each thread reads what it copied and waited for itself.
//~ race-free
__global__ void copy_late_wait_ok(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + t] = s[t];
}

// Two batches: the first has been waited for while the second is still under way.
//~ race-free
__global__ void copy_batches_ok(const int *in, int *out)
{
    __shared__ int s[64], r[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&r[t], &in[64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    int x = s[63 - t];
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = x + r[63 - t];
}

// [copy] The second batch has not been waited for.
//~ race
__global__ void copy_batches_bad(const int *in, int *out)
{
    __shared__ int s[64], r[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&r[t], &in[64 + t], 4); //~ here
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    int x = r[63 - t]; //~ here
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = x + s[63 - t];
}

// [copy] The copy is in no batch: nobody waits for it.
//~ race
__global__ void copy_uncommitted_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); //~ here
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// A loop copies a row, and all wait behind it.
//~ race-free
__global__ void copy_loop_ok(const int *in, int *out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 64) __pipeline_memcpy_async(&s[i], &in[i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[255 - t];
}

// [copy] Two threads copy to one element.
//~ race
__global__ void copy_loop_bad(const int *in, int *out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) __pipeline_memcpy_async(&s[i], &in[i + t], 4); //~ here
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[255 - t];
}

// The next round's copy begins before this one's is waited for.
//~ race-free
__global__ void copy_pipelined_ok(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    for (int i = 1; i < n; i++) {
        __pipeline_memcpy_async(&s[(i & 1) * 64 + t], &in[i * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[blockIdx.x * 64 + t] = s[(~i & 1) * 64 + 63 - t];
        __syncthreads();
    }
}

// The block copies together and waits together.
//~ race-free
__global__ void copy_group_ok(const int *in, int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s, in, sizeof(int) * 64);
    cg::wait(block);
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// [copy] Nobody waits.
//~ race
__global__ void copy_group_bad(const int *in, int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s, in, sizeof(int) * 64); //~ here
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// [copy] Round the loop the next copy meets the reads of this round.
//~ race
__global__ void copy_rounds_bad(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        cg::memcpy_async(block, s, in + i * 64, sizeof(int) * 64); //~ here
        cg::wait(block);
        x += s[63 - t]; //~ here
    }
    out[blockIdx.x * 64 + t] = x;
}

// With a barrier behind the reads.
//~ race-free
__global__ void copy_rounds_ok(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        cg::memcpy_async(block, s, in + i * 64, sizeof(int) * 64);
        cg::wait(block);
        x += s[63 - t];
        block.sync();
    }
    out[blockIdx.x * 64 + t] = x;
}

// [copy] Only some threads wait for their copies before the barrier.
//~ race
__global__ void copy_some_wait_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); //~ here
    __pipeline_commit();
    if (t < 32) __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// [copy] The thread reads its own copy before it has waited: no other thread is needed for that to go wrong.
//~ race
__global__ void copy_read_before_wait_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); //~ here
    __pipeline_commit();
    out[blockIdx.x * 64 + t] = s[t]; //~ here
    __pipeline_wait_prior(0);
}

// [copy] It writes what its copy writes.
//~ race
__global__ void copy_write_before_wait_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); //~ here
    s[t] = 1; //~ here
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + t] = s[t];
}

// The batch before the last: what it copied is there for the whole group.
//~ race-free
__global__ void copy_group_prior_ok(const int *in, int *out)
{
    __shared__ int s[64], r[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s, in, sizeof(int) * 64);
    cg::memcpy_async(block, r, in + 64, sizeof(int) * 64);
    cg::wait_prior<1>(block);
    int x = s[63 - t];
    cg::wait_prior<0>(block);
    out[blockIdx.x * 64 + t] = x + r[63 - t];
}

// [copy] The last batch is read.
//~ race
__global__ void copy_group_prior_bad(const int *in, int *out)
{
    __shared__ int s[64], r[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s, in, sizeof(int) * 64);
    cg::memcpy_async(block, r, in + 64, sizeof(int) * 64); //~ here
    cg::wait_prior<1>(block);
    int x = r[63 - t]; //~ here
    cg::wait_prior<0>(block);
    out[blockIdx.x * 64 + t] = x + s[63 - t];
}
