//--blockDim=64 --gridDim=1
// Construct: ++ and -- before and behind, on locals, elements and pointers

// The old value is the index, the new one the next index.
//~ race-free
__global__ void increment_ok(int *g)
{
    int i = threadIdx.x * 3;
    g[i++] = 1;
    g[i++] = 2;
    g[i] = 3;
}

// [index] ++i skips the first element and reaches the neighbour's.
//~ race
__global__ void increment_bad(int *g)
{
    int i = threadIdx.x * 2;
    g[++i] = i;
    g[++i] = i; //~ here
    g[i - 2] = i; //~ here
}

// [missing-atomic] s++ on a shared scalar reads and writes it.
//~ race
__global__ void increment_shared_bad(int *out)
{
    __shared__ int c;
    if (threadIdx.x == 0) c = 0;
    __syncthreads();
    c++; //~ here
    __syncthreads();
    out[threadIdx.x] = c;
}

// *p++ writes where p pointed before.
//~ race-free
__global__ void increment_pointer_ok(int *g)
{
    int *p = g + threadIdx.x * 2;
    *p++ = 1;
    *p-- = 2;
    *p += 3;
}

// [index] *++p writes one further: the last write is the neighbour's first element.
//~ race
__global__ void increment_pointer_bad(int *g)
{
    int *p = g + threadIdx.x * 2;
    *p = 5; //~ here
    *++p = 1;
    *++p = 2; //~ here
}
