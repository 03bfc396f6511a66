//--blockDim=64 --gridDim=4
// Barriers of blocks made of atomics: what they order is not modelled, and named

__device__ unsigned come = 0;

// Whether the blocks are there at once, and the counter begins at 0, is not known.
//~ unknown
__global__ void wait_atomic_ok(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&come, 1);
        while (atomicAdd(&come, 0) < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    a[256 + i] = a[255 - i];
}

//~ unknown
__global__ void wait_volatile_ok(int *a, volatile unsigned *arrived)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&come, 1);
        while (*arrived < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    a[256 + i] = a[255 - i];
}

// [no-fence] Nothing orders what stands before.
//~ race
__global__ void wait_fence_bad(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = threadIdx.x; //~ here
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&come, 1);
        while (atomicAdd(&come, 0) < gridDim.x)
            ;
    }
    __syncthreads();
    a[256 + i] = a[255 - i]; //~ here
}

// [no-barrier] The threads that do not wait go on.
//~ race
__global__ void wait_barrier_bad(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = threadIdx.x; //~ here
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&come, 1);
        while (atomicAdd(&come, 0) < gridDim.x)
            ;
        __threadfence();
    }
    a[256 + i] = a[255 - i]; //~ here
}

// [both-behind] Behind the barrier of blocks both.
//~ race
__global__ void wait_behind_bad(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&come, 1);
        while (atomicAdd(&come, 0) < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    a[i] = a[255 - i]; //~ here
}

// [no-wait] Work that is drawn in rounds waits for nobody.
//~ race
__global__ void wait_draws_bad(int *a, int *c, int n)
{
    int b = blockIdx.x, t = threadIdx.x;
    a[b * 64 + t] = t + b; //~ here
    __threadfence();
    int i = atomicAdd(c, 1);
    while (i < n)
        i = atomicAdd(c, 1);
    a[256 + b * 64 + t] = a[((b + 1) & 3) * 64 + t]; //~ here
}
