//--blockDim=64 --gridDim=4
// Soundness: counters to which great unsigned numbers are added, and that begin with negative ones

// [atomic-slot] Minus one gives a place back.
//~ race
__global__ void wraps_given_back_bad(unsigned int *count, int *out)
{
    unsigned int k = atomicAdd(count, 1u);
    out[k] = threadIdx.x; //~ here
    atomicAdd(count, -1u);
}

// [atomic-slot] So it does by way of a pointer to unsigned numbers, in a block's drawing.
//~ race
__global__ void wraps_given_back_block_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
    if (t == 0) atomicAdd((unsigned int *)count, (unsigned int)-1);
}

// [atomic-slot] Four times a quarter of all numbers is none.
//~ race
__global__ void wraps_quarters_bad(unsigned int *count, int *out)
{
    unsigned int k = atomicAdd(count, 1u << 30);
    out[k >> 30] = threadIdx.x; //~ here
}

// [atomic-slot] What other threads add comes round.
//~ race
__global__ void wraps_others_bad(const int *p, unsigned int *count, int *out)
{
    __shared__ unsigned int n, base;
    unsigned int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1u);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
    if (t < 4) atomicAdd(count, 0x3fffffffu);
}

// [atomic-slot] Minus one is the greatest unsigned number.
//~ race
__global__ void wraps_from_negative_bad(int *out)
{
    __shared__ int n;
    if (threadIdx.x == 0) n = -1;
    __syncthreads();
    unsigned int k = atomicAdd((unsigned int *)&n, 1u);
    if (k > 100u) out[0] = blockIdx.x; //~ here
}

// [atomic-slot] And again negative, as a signed one.
//~ race
__global__ void wraps_from_negative_signed_bad(int *out)
{
    __shared__ int n;
    if (threadIdx.x == 0) n = -1;
    __syncthreads();
    int k = atomicAdd((unsigned int *)&n, 1u);
    if (k < 0) out[0] = blockIdx.x; //~ here
}

// A few are drawn besides, and left empty.
//~ race-free
__global__ void wraps_besides_ok(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i;
    if (t == 1) atomicAdd(count, 3);
}
