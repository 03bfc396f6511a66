//--gridDim=4096
// An index wraps in 32 bits in every launch with so many blocks, however many threads a block has.

// [wrap] Block 1024 writes where block 0 does.
//~ race
__global__ void many_blocks_bad(int *out)
{
    out[(blockIdx.x * 1024 + threadIdx.x) * 4096u] = threadIdx.x + blockIdx.x; //~ here
}

// With shorter rows it does not wrap.
//~ race-free
__global__ void many_blocks_ok(int *out)
{
    out[(blockIdx.x * 1024 + threadIdx.x) * 64u] = threadIdx.x + blockIdx.x;
}

// [wrap] Halves of it.
//~ race
__global__ void many_blocks_half_bad(int *out)
{
    unsigned g = blockIdx.x * 1024 + threadIdx.x;
    out[(g / 2) * 4096u + (g & 1)] = g; //~ here
}

// [wrap] Rounded to warps.
//~ race
__global__ void many_blocks_rounded_bad(int *out)
{
    unsigned g = blockIdx.x * 1024 + threadIdx.x;
    out[(g - g % 32) * 4096u + g % 32] = g; //~ here
}

// [wrap] Its remainder by a large number.
//~ race
__global__ void many_blocks_remainder_bad(int *out)
{
    unsigned g = blockIdx.x * 1024 + threadIdx.x;
    if (g < 2000000) {
        out[(g % 2000000u) * 4096u] = g; //~ here
    }
}
