//--blockDim=64 --gridDim=1
// Trap: x & 1 taken for x % 2 == 0

// [guard] t & 1 holds for odd threads, which write odd elements; even threads read the odd neighbour.
//~ race
__global__ void low_bit_is_odd_bad(int *out)
{
    __shared__ int s[66];
    int t = threadIdx.x, x = 0;
    if (t & 1) s[t] = t; //~ here
    if (t % 2 == 0) x = s[t + 1]; //~ here
    out[t] = x;
}

// Even threads read even elements, which nobody writes.
//~ race-free
__global__ void low_bit_is_odd_ok(int *out)
{
    __shared__ int s[66];
    int t = threadIdx.x, x = 0;
    if (t & 1) s[t] = t;
    if (t % 2 == 0) x = s[t + 2];
    out[t] = x;
}

// [guard] If t & 1 meant "even", both stores would be of even threads to distinct elements.
//~ race
__global__ void low_bit_pairs_bad()
{
    __shared__ int s[66];
    int t = threadIdx.x;
    if (t & 1) s[t - 1] = 1; //~ here
    if (t % 2 == 0) s[t] = 2; //~ here
}
