//--blockDim=64 --gridDim=2
// Construct: atomic objects and references of libcu++
#include <cuda/atomic>

//~ race-free
__global__ void atomic_ref_ok(int *count)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> all(count[0]);
    all.fetch_add(1, cuda::memory_order_relaxed);
    all++;
    all += threadIdx.x;
    cuda::atomic_ref<int>(count[1]).store(7);
}

// [atomic scope] The scope is the block, and blocks share the counter.
//~ race
__global__ void atomic_ref_scope_bad(int *count)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> mine(count[0]);
    mine.fetch_add(1); //~ here
}

// One counter a block: the scope is enough.
//~ race-free
__global__ void atomic_ref_scope_ok(int *count)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> mine(count[blockIdx.x]);
    mine.fetch_add(1);
}

// [atomic-plain] A plain read beside it.
//~ race
__global__ void atomic_ref_plain_bad(int *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> all{count[0]};
    all.fetch_max(i); //~ here
    out[i] = count[0]; //~ here
}

// Objects in memory.
//~ race-free
__global__ void atomic_object_ok(cuda::atomic<unsigned, cuda::thread_scope_device> *bins, const int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bins[a[i] & 7].fetch_add(1u);
    unsigned seen = 0;
    bins->compare_exchange_strong(seen, 5u);
}

// [width] They are as large as what they hold.
//~ race
__global__ void atomic_object_bad(cuda::atomic<unsigned, cuda::thread_scope_device> *bins)
{
    unsigned *words = (unsigned *)bins;
    bins[1].store(3u); //~ here
    if (threadIdx.x == 5) words[1] = 4u; //~ here
}

// [data-dependent index] What a fetch gives may be anything.
//~ race
__global__ void atomic_ref_slot_bad(int *count, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> all(count[0]);
    out[all.load() & 63] = threadIdx.x; //~ here
    all.exchange(3);
}
