//--blockDim=64 --gridDim=4
// Atomics: those of the compiler itself, with an order and a scope

// Each adds one.
//~ race-free
__global__ void own_add_ok(unsigned *n)
{
    __nv_atomic_fetch_add(n, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

// [scope] Atomic within a block only, and there are four.
//~ race
__global__ void own_add_bad(unsigned *n)
{
    __nv_atomic_fetch_add(n, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK); //~ here
}

// What it gives is a place of its own.
//~ race-free
__global__ void own_place_ok(unsigned *n, int *g)
{
    g[__nv_atomic_fetch_add(n, 1u, __NV_ATOMIC_RELAXED)] = threadIdx.x;
}

// [ticket] It adds nothing.
//~ race
__global__ void own_place_bad(unsigned *n, int *g)
{
    g[__nv_atomic_fetch_or(n, 1u, __NV_ATOMIC_RELAXED)] = threadIdx.x; //~ here
}

// Read and written atomically.
//~ race-free
__global__ void own_flag_ok(int *flag, int *g)
{
    if (threadIdx.x == 0) __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    g[blockIdx.x * blockDim.x + threadIdx.x] = __nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}

// [plain] Read as any other number.
//~ race
__global__ void own_flag_bad(int *flag, int *g)
{
    if (threadIdx.x == 0) __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE); //~ here
    g[blockIdx.x * blockDim.x + threadIdx.x] = *flag; //~ here
}

// The largest, by exchange.
//~ race-free
__global__ void own_exchange_ok(int *most, const int *in)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int seen = __nv_atomic_load_n(most, __NV_ATOMIC_RELAXED);
    while (v > seen && !__nv_atomic_compare_exchange_n(most, &seen, v, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED)) {
    }
}

// [plain] One sets it first, without asking.
//~ race
__global__ void own_exchange_bad(int *most, const int *in)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (v > 0) *most = v; //~ here
    __nv_atomic_exchange_n(most, v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE); //~ here
}
