//--blockDim=64 --gridDim=2
// Construct: pointers to functions, of which a condition says which one is meant

typedef int (*Place)(int);
typedef void (*Step)(int *, int);

__device__ int same(int i) { return i; }
__device__ int twice(int i) { return 2 * i; }
__device__ int half(int i) { return i / 2; }
__device__ void store(int *g, int i)
{
    g[i] = i; //~ here
}
__device__ void store_behind(int *g, int i) { g[i + 128] = i; }
__device__ void store_half(int *g, int i)
{
    g[i / 2] = i; //~ here
}
__device__ void wait(int *, int)
{
    __syncthreads(); //~ here
}

__device__ Place chosen(int n)
{
    if (n > 3) return same;
    return twice;
}

// Each thread calls one of two.
//~ race-free
__global__ void function_of_thread_ok(int *g)
{
    Step step = (threadIdx.x & 1) ? store : store_behind;
    step(g, blockIdx.x * blockDim.x + threadIdx.x);
}

// [index] The even threads store in the lower half, where odd ones do.
//~ race
__global__ void function_of_thread_bad(int *g)
{
    Step step = (threadIdx.x & 1) ? store : store_half;
    step(g, blockIdx.x * blockDim.x + threadIdx.x);
}

// The value decides the place.
//~ race-free
__global__ void function_by_if_ok(int *g, int n)
{
    Place place = same;
    if (n > 2) place = twice;
    g[(*place)(blockIdx.x * blockDim.x + threadIdx.x)] = threadIdx.x;
}

// [index] One of the two brings neighbours together.
//~ race
__global__ void function_by_if_bad(int *g, int n)
{
    Place place = same;
    if (n > 2) place = half;
    g[place(blockIdx.x * blockDim.x + threadIdx.x)] = threadIdx.x; //~ here
}

// Whichever it is, it is one for all threads.
//~ race-free
__global__ void function_returned_ok(int *g, int n)
{
    g[chosen(n)(blockIdx.x * blockDim.x + threadIdx.x)] = threadIdx.x;
}

// [index] Twice 2 is 4.
//~ race
__global__ void function_returned_bad(int *g)
{
    g[chosen(threadIdx.x)(blockIdx.x * blockDim.x + threadIdx.x)] = threadIdx.x; //~ here
}

// [index] The third of three.
//~ race
__global__ void function_by_switch_bad(int *g, int n)
{
    Place place = same;
    switch (n) {
    case 1: place = twice; break;
    case 2: place = half; break;
    }
    g[place(blockIdx.x * blockDim.x + threadIdx.x)] = threadIdx.x; //~ here
}

// [barrier] The barrier is in one of the two.
//~ race
__global__ void function_waits_bad(int *g, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    Step step = n > 0 ? wait : store;
    step(g, blockIdx.x * blockDim.x + threadIdx.x);
    g[blockIdx.x * blockDim.x + threadIdx.x + 128] = s[63 - threadIdx.x]; //~ here
}

// [divergence] Odd threads wait.
//~ divergence
__global__ void function_waits_odd_bad(int *g)
{
    Step step = (threadIdx.x & 1) ? wait : store;
    step(g, blockIdx.x * blockDim.x + threadIdx.x);
}
