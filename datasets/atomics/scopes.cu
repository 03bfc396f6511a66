//--blockDim=64 --gridDim=4
// Scopes of atomic operations, and plain accesses beside them.
#include <cuda/atomic>

// Atomic for the block, on memory of the block.
//~ race-free
__global__ void scope_block_shared_ok(int *out)
{
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd_block(&sum, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// [scope] Atomic for the block only, on memory of the grid.
//~ race
__global__ void scope_block_global_bad(int *sum)
{
    atomicAdd_block(sum, 1); //~ here
}

// Each block has its own element.
//~ race-free
__global__ void scope_block_global_ok(int *sum)
{
    atomicAdd_block(&sum[blockIdx.x], 1);
}

// Atomic for the whole system includes the grid.
//~ race-free
__global__ void scope_system_ok(int *sum)
{
    atomicMax_system(sum, (int)threadIdx.x);
}

// [scope] One of the two is atomic for its block only.
//~ race
__global__ void scope_mixed_bad(int *sum)
{
    if (blockIdx.x == 0) atomicAdd_block(sum, 1); //~ here
    else atomicAdd(sum, 1); //~ here
}

// A reference of device scope.
//~ race-free
__global__ void scope_reference_ok(int *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> all(sum[0]);
    all.fetch_add(1);
}

// [scope] A reference of block scope.
//~ race
__global__ void scope_reference_bad(int *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> all(sum[0]);
    all.fetch_add(1); //~ here
}

// [plain] A plain read of what others change atomically.
//~ race
__global__ void scope_plain_read_bad(int *sum, int *out)
{
    atomicAdd(&sum[0], 1); //~ here
    out[blockIdx.x * 64 + threadIdx.x] = sum[0]; //~ here
}

// [volatile] It forces the access and makes nothing atomic.
//~ race
__global__ void scope_volatile_bad(volatile int *sum)
{
    sum[0] = sum[0] + threadIdx.x; //~ here
}

// Members of an atomic object in shared memory.
//~ race-free
__global__ void scope_member_ok(int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> sum;
    if (threadIdx.x == 0) sum.store(0);
    __syncthreads();
    sum.fetch_add(1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum.load();
}
