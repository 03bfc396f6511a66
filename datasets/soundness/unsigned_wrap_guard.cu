//--blockDim=33 --gridDim=1
// Row: unsigned wrap in a guard

// [wrap] t = 0 wraps to 4294967295, t = 32 gives 31: two writers.
// A guard over unbounded integers counts only for subterms proved in range.
//~ race
__global__ void unsigned_wrap_guard_bad()
{
    __shared__ int s[1];
    unsigned t = threadIdx.x;
    if (t - 1u > 30u) s[0] = t; //~ here
}

// Only t = 0 wraps above 31.
//~ race-free
__global__ void unsigned_wrap_guard_ok()
{
    __shared__ int s[1];
    unsigned t = threadIdx.x;
    if (t - 1u > 31u) s[0] = t;
}
