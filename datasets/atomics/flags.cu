//--blockDim=128 --gridDim=8
// Flags that one thread raises and others wait for: release and acquire, by instructions and by objects.
#include <cuda/atomic>

__device__ __forceinline__ void raise(int *flag) { asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory"); }

__device__ __forceinline__ int look(const int *flag)
{
    int value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

__device__ __forceinline__ void raise_in_block(int *flag) { asm volatile("st.release.cta.global.s32 [%0], 1;" ::"l"(flag) : "memory"); }

__device__ __forceinline__ void raise_relaxed(int *flag) { asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory"); }

__device__ __forceinline__ int look_relaxed(const int *flag)
{
    int value;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

// The first block stores, meets, and raises the flag; in each other block one thread waits, and the block meets.
//~ race-free
__global__ void flag_relay_ok(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t;
        __syncthreads();
        if (t == 0) raise(flag);
    } else {
        if (t == 0) {
            while (look(flag) == 0) { }
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1];
    }
}

// [barrier] The flag is raised while others of the block still store.
//~ race potential
__global__ void flag_early_bad(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t; //~ here
        if (t == 0) raise(flag);
    } else {
        if (t == 0) {
            while (look(flag) == 0) { }
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1]; //~ here
    }
}

// [barrier] One thread waits, the others of its block go on.
//~ race potential
__global__ void flag_alone_bad(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t; //~ here
        __syncthreads();
        if (t == 0) raise(flag);
    } else {
        if (t == 0) {
            while (look(flag) == 0) { }
        }
        out[blockIdx.x * 128 + t] = data[t ^ 1]; //~ here
    }
}

// Every thread waits for itself.
//~ race-free
__global__ void flag_all_wait_ok(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t;
        __syncthreads();
        if (t == 0) raise(flag);
    } else {
        while (look(flag) == 0) { }
        out[blockIdx.x * 128 + t] = data[t ^ 1];
    }
}

// [scope] The release is for threads of the block, and the others are of other blocks.
//~ race potential
__global__ void flag_scope_bad(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t; //~ here
        __syncthreads();
        if (t == 0) raise_in_block(flag);
    } else {
        if (t == 0) {
            while (look(flag) == 0) { }
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1]; //~ here
    }
}

// [order] A relaxed store releases nothing.
//~ race potential
__global__ void flag_relaxed_bad(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t; //~ here
        __syncthreads();
        if (t == 0) raise_relaxed(flag);
    } else {
        if (t == 0) {
            while (look(flag) == 0) { }
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1]; //~ here
    }
}

// Fences on both sides make up for the order.
//~ race-free
__global__ void flag_fences_ok(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            raise_relaxed(flag);
        }
    } else {
        if (t == 0) {
            while (look_relaxed(flag) == 0) { }
            __threadfence();
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1];
    }
}

// [fence] The one that waits has none.
//~ race potential
__global__ void flag_fence_bad(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t; //~ here
        __syncthreads();
        if (t == 0) {
            __threadfence();
            raise_relaxed(flag);
        }
    } else {
        if (t == 0) {
            while (look_relaxed(flag) == 0) { }
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1]; //~ here
    }
}

// [flag] Each block raises the flag: who has waited knows of one of them.
//~ race potential
__global__ void flag_several_bad(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    data[blockIdx.x * 128 + t] = t; //~ here
    __syncthreads();
    if (t == 0) raise(flag);
    if (t == 0) {
        while (look(flag) == 0) { }
    }
    __syncthreads();
    out[blockIdx.x * 128 + t] = data[(blockIdx.x ^ 1) * 128 + t]; //~ here
}

// [flag] What is stored behind the flag is not waited for.
//~ race potential
__global__ void flag_behind_bad(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t == 0) raise(flag);
        data[t] = t; //~ here
    } else {
        if (t == 0) {
            while (look(flag) == 0) { }
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1]; //~ here
    }
}

// Objects of libcu++, with their orders.
//~ race-free
__global__ void flag_object_ok(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
    if (blockIdx.x == 0) {
        data[t] = t;
        __syncthreads();
        if (t == 0) raised.store(1, cuda::memory_order_release);
    } else {
        if (t == 0) {
            while (raised.load(cuda::memory_order_acquire) == 0) { }
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1];
    }
}

// [order] The load is relaxed.
//~ race potential
__global__ void flag_object_bad(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
    if (blockIdx.x == 0) {
        data[t] = t; //~ here
        __syncthreads();
        if (t == 0) raised.store(1, cuda::memory_order_release);
    } else {
        if (t == 0) {
            while (raised.load(cuda::memory_order_relaxed) == 0) { }
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1]; //~ here
    }
}

// [scope] The object is for the threads of a block.
//~ race potential
__global__ void flag_object_scope_bad(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_block> raised(*flag);
    if (blockIdx.x == 0) {
        data[t] = t; //~ here
        __syncthreads();
        if (t == 0) raised.store(1, cuda::memory_order_release); //~ here
    } else {
        if (t == 0) {
            while (raised.load(cuda::memory_order_acquire) == 0) { } //~ here
        }
        __syncthreads();
        out[blockIdx.x * 128 + t] = data[t ^ 1]; //~ here
    }
}
