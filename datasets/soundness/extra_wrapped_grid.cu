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
