//--blockDim=64 --gridDim=2
// Construct: every kind of CUDA atomic

// Atomic with atomic on the same element is no race.
//~ race-free
__global__ void atomics_ok(int *g, unsigned *u)
{
    int t = threadIdx.x;
    atomicAdd(&g[0], t);
    atomicSub(&g[0], t);
    atomicExch(&g[0], t);
    atomicMin(&g[0], t);
    atomicMax(&g[0], t);
    atomicAnd(&g[0], t);
    atomicOr(&g[0], t);
    atomicXor(&g[0], t);
    atomicCAS(&g[0], t, t + 1);
    atomicInc(&u[0], 7);
    atomicDec(&u[0], 7);
}

// [atomic-plain] A plain store beside the atomic.
//~ race
__global__ void atomics_plain_store_bad(int *g)
{
    int t = threadIdx.x;
    atomicMax(&g[0], t); //~ here
    if (t == 0) g[0] = 0; //~ here
}

// [atomic-plain] A plain load beside the atomic.
//~ race
__global__ void atomics_plain_load_bad(int *g, int *out)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    atomicExch(&g[0], t); //~ here
    out[i] = g[0]; //~ here
}

// [atomic-plain] atomicCAS is an access also when it does not store.
//~ race
__global__ void atomics_cas_bad(int *g)
{
    int t = threadIdx.x;
    atomicCAS(&g[t & 7], 0, 1); //~ here
    if (blockIdx.x == 0 && t == 9) g[1] = t; //~ here
}

// Initialise, barrier, count, barrier, read: in shared memory.
//~ race-free
__global__ void atomics_shared_ok(const int *g, int *out)
{
    __shared__ int bins[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[g[i] & 63], 1);
    __syncthreads();
    out[i] = bins[t];
}

// [missing-barrier] The bins are cleared while others count already.
//~ race
__global__ void atomics_shared_bad(const int *g, int *out)
{
    __shared__ int bins[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    bins[t] = 0; //~ here
    atomicAdd(&bins[g[i] & 63], 1); //~ here
    __syncthreads();
    out[i] = bins[t];
}
