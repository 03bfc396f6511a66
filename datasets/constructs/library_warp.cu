//--blockDim=64 --gridDim=1
// Construct: votes, matches and reductions of warps, the old forms without masks included

//~ race-free
__global__ void library_votes_ok(const int *a, int *out)
{
    int t = threadIdx.x, all;
    unsigned any = __any(a[t]), ballot = __ballot(a[t] > 3), same = __match_all_sync(~0u, a[t], &all);
    out[t] = any + ballot + same + all + __reduce_add_sync(~0u, t) + __shfl(t, 3);
}

// [data-dependent index] What the lanes vote for is anything.
//~ race
__global__ void library_votes_bad(const int *a, int *out)
{
    int t = threadIdx.x;
    out[__popc(__ballot_sync(~0u, a[t] > 3))] = t; //~ here
}

// The result of a match goes through a pointer.
//~ race
__global__ void library_match_bad(const int *a, int *flag)
{
    __match_all_sync(~0u, a[threadIdx.x], flag); //~ here
    flag[0] += threadIdx.x; //~ here
}

// Classes and half numbers travel too.
//~ race-free
__global__ void library_shuffle_types_ok(double *d, half2 *h)
{
    int t = threadIdx.x;
    d[t] = __shfl_down_sync(~0u, d[t], 1);
    h[t] = __shfl_xor_sync(~0u, h[t], 1);
}

// [index]
//~ race
__global__ void library_shuffle_types_bad(double *d)
{
    int t = threadIdx.x;
    d[t / 2] = __shfl_down_sync(~0u, d[t], 1); //~ here
}

// Clocks and sleeping order nothing.
//~ race
__global__ void library_clock_bad(int *out)
{
    int t = threadIdx.x;
    if (t == 0) out[0] = 1; //~ here
    long long start = clock64();
    while (clock64() - start < 1000) __nanosleep(10);
    if (t == 1) out[1] = out[0]; //~ here
}

// Each thread keeps its own time.
//~ race-free
__global__ void library_clock_ok(long long *out)
{
    int t = threadIdx.x;
    long long start = clock64();
    out[t] = clock64() - start;
}

// Atomics of every width and scope.
//~ race-free
__global__ void library_atomics_ok(half2 *h, double *d, unsigned long long *u, unsigned short *c)
{
    atomicAdd(h, __float2half2_rn(1.0f));
    atomicAdd_system(d, 1.0);
    atomicMax(u, 7ull);
    atomicCAS(c, (unsigned short)0, (unsigned short)1);
    atomicExch_block(d + 1 + threadIdx.x, 2.0);
}

// [atomic-plain] The halves of the pair are bytes of it.
//~ race
__global__ void library_atomics_bad(half2 *h)
{
    atomicAdd(h, __float2half2_rn(1.0f)); //~ here
    if (threadIdx.x == 3) h->y = __float2half(0.0f); //~ here
}
