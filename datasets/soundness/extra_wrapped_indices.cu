// Extra: indices that wrap in every launch, by parts, constants and factors that are told

// [part] One less than the first thread has wrapped.
//~ race
__global__ void wrapped_part_bad(int *g)
{
    if (blockDim.x - (threadIdx.x - 1) >= blockDim.x) g[blockIdx.x] = threadIdx.x; //~ here
}

// [barrier] Only one thread comes to it.
//~ divergence
__global__ void wrapped_part_barrier_bad(int *g)
{
    if (blockDim.x - (threadIdx.x - 1) > blockDim.x) __syncthreads(); //~ here
    g[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

// [block] The same of blocks.
//~ race
__global__ void wrapped_block_bad(int *g)
{
    if (gridDim.x - (blockIdx.x - 1) >= gridDim.x) g[0] = blockIdx.x; //~ here
}

// [constant] Less ~0u is more by 1.
//~ race
__global__ void wrapped_constant_bad(int *g)
{
    if (blockDim.x - threadIdx.x - ~0u > 2u) g[blockIdx.x] = threadIdx.x; //~ here
}

// [factor] A constant from which an index is taken, times a large number.
//~ race
__global__ void wrapped_factor_bad(int *g)
{
    if (blockIdx.y < 10) g[((65535u - blockIdx.y) * 100000u) >> 31] = blockIdx.y; //~ here
}

// [guarded] A small number times a large one.
//~ race
__global__ void wrapped_guarded_bad(int *g)
{
    unsigned r = threadIdx.x * blockDim.x;
    if (r < 1000) g[(r * 65599u * 65599u) >> 28] = threadIdx.x; //~ here
}

// [sign] Of which an int has the other sign.
//~ race
__global__ void wrapped_sign_bad(int *g)
{
    unsigned r = threadIdx.x * blockDim.x;
    if (r < 1000) {
        int q = r * 0x400000u;
        if (q < 0) g[blockIdx.x] = threadIdx.x; //~ here
    }
}

// [seed] A number is added before it is multiplied.
//~ race
__global__ void wrapped_seed_bad(int *g)
{
    unsigned h = (blockIdx.x + 12345u) * 1664525u;
    if (blockIdx.x < 900) g[h >> 28] = blockIdx.x; //~ here
}

// [summands] Numbers that are too large together.
//~ race
__global__ void wrapped_summands_bad(int *g)
{
    int i = (int)(blockIdx.x + 2000000000u + 2000000000u);
    if (i < 0) g[0] = blockIdx.x; //~ here
}

// Rows that a guard bounds, from which the block's begin.
//~ race-free
__global__ void wrapped_rows_ok(int *g)
{
    for (int r = threadIdx.y; r < 100; r += blockDim.y)
        for (int c = threadIdx.x; c < 100; c += blockDim.x)
            g[(blockIdx.x * 100 + r) * 100 + c] = r;
}

// [rows] One row less.
//~ race
__global__ void wrapped_rows_bad(int *g)
{
    for (int r = threadIdx.y; r < 100; r += blockDim.y)
        for (int c = threadIdx.x; c < 100; c += blockDim.x)
            g[(blockIdx.x * 99 + r) * 100 + c] = r; //~ here
}
