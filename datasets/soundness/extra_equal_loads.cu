//--blockDim=64 --gridDim=1
// Extra: equal indices give equal loads; different indices may give equal loads too

// [content] q[t] and q[t'] may be equal although t and t' differ.
//~ race
__global__ void equal_loads_bad(const int *q, int *out)
{
    int t = threadIdx.x;
    out[q[t] * 2 + (t & 1)] = t; //~ here
}

// t / 2 is shared by a pair, and the low bit tells the two apart; pairs are told apart by their rank.
//~ race-free
__global__ void equal_loads_ok(const int *q, int *out)
{
    int t = threadIdx.x;
    out[(q[t / 2] & 1) + t * 2] = t;
}

// [content] The quotient chooses the element, and two quotients may hold the same value.
//~ race
__global__ void equal_loads_pair_bad(const int *q, int *out)
{
    int t = threadIdx.x;
    out[q[t / 2] * 2 + (t & 1)] = t; //~ here
}

// [content] The value's own position is stored back: a permutation is assumed nowhere.
//~ race
__global__ void load_of_load_bad(const int *q, int *out)
{
    int t = threadIdx.x;
    out[q[q[t] & 63] & 63] = t; //~ here
}
