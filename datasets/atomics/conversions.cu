//--blockDim=64 --gridDim=2
// Atomics: objects that are converted, assigned and counted

// The conversion is a load.
//~ race-free
__global__ void conversion_array_ok(cuda::atomic<int> *a, int *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a->fetch_add(1);
    g[i] = a[0];
}

// [scope] Other blocks are out of its scope.
//~ race
__global__ void conversion_array_bad(cuda::atomic<int, cuda::thread_scope_block> *a, int *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a->fetch_add(1); //~ here
    g[i] = a[0]; //~ here
}

//~ race-free
__global__ void conversion_behind_ok(cuda::atomic<int> *a, int *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    (*a)++;
    int v = *a;
    g[i] = v;
}

// [plain] What the object lies on is read as it is.
//~ race
__global__ void conversion_behind_bad(cuda::atomic<int> *a, int *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    (*a)++; //~ here
    g[i] = *(int *)a; //~ here
}

//~ race-free
__global__ void conversion_shared_ok(int *g)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> c;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c++;
    int v = c;
    g[i] = v;
}

// The order is a word of the library.
//~ race-free
__global__ void conversion_order_ok(cuda::atomic<int> *a, int *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a->fetch_add(1, cuda::memory_order_relaxed);
    g[i] = a->load(cuda::memory_order::acquire);
}
