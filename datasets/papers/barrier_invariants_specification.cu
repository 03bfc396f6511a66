//--gridDim=1
// After Chong et al., "Barrier Invariants" (OOPSLA 2013): compaction from what a prefix sum is for, whatever computes it, in blocks of any size

// Something has left the places in shared memory. All that is said of them is what makes them those of an exclusive sum of the flags.
//~ race-free
__global__ void compact_by_specification_ok(const unsigned *flag, const int *in, int *out)
{
    extern __shared__ unsigned place[];
    unsigned t = threadIdx.x;
    __assume(__implies(__same_group && t < __other_int(t), __add_noovfl(place[t], flag[t]) <= place[__other_int(t)]));
    if (flag[t]) out[place[t]] = in[t];
}

// [data-dependent index] Places in order may be equal.
//~ race
__global__ void compact_by_specification_bad(const unsigned *flag, const int *in, int *out)
{
    extern __shared__ unsigned place[];
    unsigned t = threadIdx.x;
    __assume(__implies(__same_group && t < __other_int(t), place[t] <= place[__other_int(t)]));
    if (flag[t]) out[place[t]] = in[t]; //~ here
}

// [data-dependent index] What the element itself adds is left out: the next one has the same place.
//~ race
__global__ void compact_by_next_bad(const unsigned *flag, const int *in, int *out)
{
    extern __shared__ unsigned place[];
    unsigned t = threadIdx.x;
    __assume(__implies(__same_group && t < __other_int(t), __add_noovfl(place[t], flag[t]) <= place[__other_int(t)]));
    if (flag[t]) out[place[t] + (t & 1)] = in[t]; //~ here
}

// The same said as a barrier invariant of what the threads themselves stored: it is checked before it is used.
//~ race-free
__global__ void compact_by_invariant_ok(const int *in, int *out)
{
    extern __shared__ unsigned position[];
    unsigned t = threadIdx.x;
    position[t] = 2 * t + (in[t] > 0);
    __barrier_invariant_binary_1(__implies(t < __other_int(t), position[t] < position[__other_int(t)]), t, __other_int(t));
    __syncthreads();
    out[position[t]] = in[t];
}

// [an assertion that can fail] One position is that of the neighbour.
//~ race
__global__ void compact_by_invariant_bad(const int *in, int *out)
{
    extern __shared__ unsigned position[];
    unsigned t = threadIdx.x;
    position[t] = t + (in[t] > 0);
    __barrier_invariant_binary_1(__implies(t < __other_int(t), position[t] < position[__other_int(t)]), t, __other_int(t));
    __syncthreads();
    out[position[t]] = in[t]; //~ here
}
