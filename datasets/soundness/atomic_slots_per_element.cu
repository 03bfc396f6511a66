//--blockDim=64 --gridDim=1
// Row: results of atomicAdd are distinct per element only

// [atomic-slot] c[0] and c[1] each hand out the same numbers.
//~ race
__global__ void atomic_slots_per_element_bad(int *c, int *out)
{
    int t = threadIdx.x;
    out[atomicAdd(&c[t & 1], 1)] = t; //~ here
}

// One counter for all: the old values are pairwise different.
//~ race-free
__global__ void atomic_slots_per_element_ok(int *c, int *out)
{
    int t = threadIdx.x;
    out[atomicAdd(&c[0], 1)] = t;
}
