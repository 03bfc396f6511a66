//--blockDim=64 --gridDim=1
// Row: equal values, different bytes

// [width] The int 1 puts 0 into byte 1, the char puts 1 there: the overlapping bytes differ.
//~ race
__global__ void equal_values_different_bytes_bad()
{
    __shared__ __align__(8) char s[8];
    int t = threadIdx.x;
    if (!t) *(int *)s = 1; //~ here
    if (t == 1) s[1] = 1; //~ here
}

// The bytes do not overlap.
//~ race-free
__global__ void equal_values_different_bytes_ok()
{
    __shared__ __align__(8) char s[8];
    int t = threadIdx.x;
    if (!t) *(int *)s = 1;
    if (t == 1) s[4] = 1;
}

// Byte 0 of the int 1 is 1 (little endian): the writes overlap and are the same, so they are benign.
//~ race-free
__global__ void equal_values_same_byte_ok()
{
    __shared__ __align__(8) char s[8];
    int t = threadIdx.x;
    if (!t) *(int *)s = 1;
    if (t == 1) s[0] = 1;
}
