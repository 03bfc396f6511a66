//--blockDim=64 --gridDim=2
// Contracts: what is said of two threads

// Thread numbers differ within a block.
//~ race-free
__global__ void distinct_in_block_ok(int *out)
{
    int t = threadIdx.x;
    __assert(__implies(__same_group, __distinct_int(t)));
    out[blockIdx.x * 64 + t] = t;
}

// But not between blocks.
//~ assertion
__global__ void distinct_between_blocks_bad(int *out)
{
    int t = threadIdx.x;
    __assert(__distinct_int(t)); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// Half of them does not.
//~ assertion
__global__ void distinct_halves_in_block_bad(int *out)
{
    int t = threadIdx.x;
    __assert(__implies(__same_group, __distinct_int(t / 2))); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// Parameters are the same for all.
//~ race-free
__global__ void uniform_ok(int *out, int n)
{
    int k = 2 * n + blockDim.x;
    __assert(__uniform_int(k) && __uniform_bool(n > 0));
    out[blockIdx.x * 64 + threadIdx.x] = k;
}

// Thread numbers are not.
//~ assertion
__global__ void uniform_bad(int *out)
{
    int t = threadIdx.x;
    __assert(__uniform_int(t)); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// Of both threads.
//~ race-free
__global__ void all_ok(int *out)
{
    int t = threadIdx.x;
    __assert(__all(t < 64));
    out[blockIdx.x * 64 + t] = t;
}

// Of one, perhaps not of the other.
//~ assertion
__global__ void all_bad(int *out)
{
    int t = threadIdx.x;
    if (t < 40) {
        __assert(__implies(t < 20, __all(t < 20))); //~ here
        out[blockIdx.x * 64 + t] = t;
    }
}

// Only one thread of a block is the first.
//~ race-free
__global__ void exclusive_ok(int *out)
{
    int t = threadIdx.x;
    __assert(__implies(__same_group, __exclusive(t == 0)));
    out[blockIdx.x * 64 + t] = t;
}

// Two are among the first two.
//~ assertion
__global__ void exclusive_bad(int *out)
{
    int t = threadIdx.x;
    __assert(__exclusive(t < 2 && blockIdx.x == 0)); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// The other thread's value, spelled out.
//~ race-free
__global__ void other_ok(int *out)
{
    int g = blockIdx.x * 64 + threadIdx.x;
    __assert(g != __other_int(g));
    __assert(__implies(g < 10 && __other_bool(g < 20), __other_int(g) < 20));
    out[g] = g;
}

// The other thread need not be larger.
//~ assertion
__global__ void other_bad(int *out)
{
    int g = blockIdx.x * 64 + threadIdx.x;
    __assert(g < __other_int(g)); //~ here
    out[g] = g;
}

// Each thread keeps a number of its own: used for the race, since the step has no closed form.
//~ race-free
__global__ void distinct_invariant_ok(int n)
{
    __shared__ int s[4096];
    int i = threadIdx.x;
    for (int k = 0; __invariant(__implies(__same_group, __distinct_int(i))), k < n; k++) {
        s[i] = k;
        __syncthreads();
        i = 2 * i + 1;
    }
}

// [unproved] Two threads get the same number: the invariant is wrong and must not hide the race.
//~ race
__global__ void distinct_invariant_bad(int n)
{
    __shared__ int s[4096];
    int i = threadIdx.x;
    for (int k = 0; __invariant(__implies(__same_group, __distinct_int(i))), k < n; k++) { //~ here
        s[i & 4095] = threadIdx.x; //~ here
        __syncthreads();
        i = i / 2;
    }
}

// [iterations] In the same iteration they differ; without a barrier the threads are in different ones.
//~ race
__global__ void distinct_invariant_without_barrier_bad(int n)
{
    __shared__ int s[4096];
    int i = threadIdx.x + 1;
    for (int k = 0; __invariant(__implies(__same_group, __distinct_int(i))), __invariant(i >= 1), k < n && i < 1000; k++) {
        s[i] = threadIdx.x; //~ here
        i = 2 * i + 1;
    }
}

// [iterations] Equal in the same iteration; but the threads leave the loop in different ones.
//~ race
__global__ void uniform_invariant_behind_bad()
{
    __shared__ int s[128];
    int i = 1;
    for (int k = 0; __invariant(__uniform_int(i)), k < threadIdx.x; k++) i = (3 * i + 1) & 127;
    if (i == 5 && threadIdx.x < 9) s[0] = threadIdx.x;
    s[i] = threadIdx.x; //~ here
}
