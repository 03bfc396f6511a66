//--blockDim=64 --gridDim=1
// Construct: pure integer intrinsics in indices

// min with a bound that no thread passes.
//~ race-free
__global__ void intrinsics_min_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[min(t, 63)] = t;
}

// [index] Threads 62 and 63 get the same element.
//~ race
__global__ void intrinsics_min_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[min(t, 62)] = t; //~ here
}

// Distances from 64 are distinct.
//~ race-free
__global__ void intrinsics_abs_ok()
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[abs(t - 64)] = t;
}

// [index] 31 and 33 have the same distance from 32.
//~ race
__global__ void intrinsics_abs_bad()
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[abs(t - 32)] = t; //~ here
}

// Reversed bits are distinct.
//~ race-free
__global__ void intrinsics_brev_ok()
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[__brev(t) >> 26] = t;
}

// [index] One bit too many is shifted out.
//~ race
__global__ void intrinsics_brev_bad()
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[__brev(t) >> 27] = t; //~ here
}

// [index] Many numbers have the same number of bits.
//~ race
__global__ void intrinsics_popc_bad()
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[__popc(t)] = t; //~ here
}
