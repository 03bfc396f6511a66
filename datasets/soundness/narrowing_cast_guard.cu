//--blockDim=257 --gridDim=1
// Row: unsigned wrap in a narrowing cast

// [wrap] (unsigned char)256 is 0: threads 0 and 256 write.
//~ race
__global__ void narrowing_cast_guard_bad()
{
    __shared__ int s[1];
    int t = threadIdx.x;
    if ((unsigned char)t == 0) s[0] = t; //~ here
}

// Sixteen bits hold every thread id of the block.
//~ race-free
__global__ void narrowing_cast_guard_ok()
{
    __shared__ int s[1];
    int t = threadIdx.x;
    if ((unsigned short)t == 0) s[0] = t;
}
