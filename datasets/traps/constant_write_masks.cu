//--blockDim=64 --gridDim=1
// Trap: one constant write masks all other conflicts of the array

// [same-value] The constant written by all to s[64] is benign; the mirrored read of s is not.
//~ race
__global__ void constant_write_masks_bad(int *out)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[64] = 1;
    s[t] = t; //~ here
    out[t] = s[63 - t]; //~ here
}

// The barrier removes the conflict that is left.
//~ race-free
__global__ void constant_write_masks_ok(int *out)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[64] = 1;
    s[t] = t;
    __syncthreads();
    out[t] = s[63 - t];
}

// [same-value] Two constants for one element: each write agrees with itself, not with the other.
//~ race
__global__ void constant_write_two_values_bad(int *g)
{
    int t = threadIdx.x;
    if (t & 1) g[0] = 1; //~ here
    else g[0] = 2; //~ here
}
