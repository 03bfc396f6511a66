//--blockDim=64 --gridDim=2
// Contracts: assumptions restrict executions, where they stand and behind it
__axiom(blockDim.x == 64);

// The axiom is the launch's block size.
//~ race-free
__global__ void axiom_ok(int *out)
{
    out[blockIdx.x * 64 + threadIdx.x + (64 - blockDim.x)] = 1;
}

// A parameter.
//~ race-free
__global__ void requires_ok(int *out, int n)
{
    __requires(n >= 64);
    out[blockIdx.x * n + threadIdx.x] = threadIdx.x;
}

// Not enough.
//~ race
__global__ void requires_too_little_bad(int *out, int n)
{
    __requires(n >= 63);
    out[blockIdx.x * n + threadIdx.x] = threadIdx.x; //~ here
}

// What is read, said of each thread.
//~ race-free
__global__ void requires_of_memory_ok(const int *idx, int *out)
{
    __requires(idx[blockIdx.x * 64 + threadIdx.x] == blockIdx.x * 64 + threadIdx.x);
    int g = blockIdx.x * 64 + threadIdx.x;
    out[idx[g]] = g;
}

// Said of other elements than those that are read.
//~ race
__global__ void requires_of_other_memory_bad(const int *idx, int *out)
{
    __requires(idx[blockIdx.x * 64 + threadIdx.x] == blockIdx.x * 64 + threadIdx.x);
    int g = blockIdx.x * 64 + threadIdx.x;
    out[idx[g + 1]] = g; //~ here
}

// [branch] Assumed where the other thread never comes.
//~ race
__global__ void assume_in_branch_bad(int *out, int n)
{
    int t = threadIdx.x;
    if (n > 5) {
        __assume(t == 0);
    }
    out[0] = t; //~ here
}

// [branch] An assumption in a branch about what happens in the branch.
//~ race-free
__global__ void assume_in_branch_ok(int *out, int n)
{
    int t = threadIdx.x;
    if (t < 32) {
        __assume(n >= 32);
        out[blockIdx.x * n + t] = t;
    }
}

// [order] What is assumed after the access restricts nothing before it.
//~ race
__global__ void assume_behind_bad(int *out, int n)
{
    int t = threadIdx.x;
    out[n * t] = t; //~ here
    __assume(n == 1);
}

// [order] Threads that leave in the loop never come to the assumption.
//~ race
__global__ void assume_behind_loop_bad(const int *in, int *out)
{
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        out[0] = t; //~ here
        if (in[i] > t) return;
    }
    __assume(t == 0);
}

// [vacuity] No thread but the first satisfies it, and the launch has 64.
//~ error
__global__ void requires_of_one_thread_bad(int *out)
{
    __requires(threadIdx.x == 0);
    out[0] = threadIdx.x;
}

// [vacuity] Two assumptions that contradict each other.
//~ error
__global__ void requires_contradictory_bad(int *out, int n)
{
    __requires(n > (int)threadIdx.x + 10);
    __requires(n < 10);
    out[0] = threadIdx.x;
}

// [vacuity] No thread in the branch satisfies it: what is behind it stays unchecked, and that is told.
//~ unknown
__global__ void assume_impossible_bad(int *out)
{
    int t = threadIdx.x;
    if (t < 32) {
        __assume(t > 40);
        out[0] = t;
    }
}

// Sums that do not wrap.
//~ race-free
__global__ void sum_without_wrap_ok(int *out, unsigned n)
{
    unsigned t = threadIdx.x;
    __assert(__add_noovfl(n, t) >= t);
    out[blockIdx.x * 64 + t] = t;
}

// Unsigned sums do.
//~ assertion
__global__ void sum_that_wraps_bad(int *out, unsigned n)
{
    unsigned t = threadIdx.x;
    __assert(n + t >= t); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// The elements of the index array are pairwise different, said by a statement.
//~ race-free
__global__ void distinct_statement_ok(const int *idx, int *out)
{
    __distinct(idx);
    int g = blockIdx.x * 64 + threadIdx.x;
    out[idx[g]] = g;
}

// [distinct] One element is read by two threads.
//~ race
__global__ void distinct_same_element_bad(const int *idx, int *out)
{
    // warplog: distinct idx
    int g = blockIdx.x * 64 + threadIdx.x;
    out[idx[g / 2]] = g; //~ here
}

// [distinct] The kernel overwrites what was different.
//~ race
__global__ void distinct_overwritten_bad(int *idx, int *out)
{
    // warplog: distinct idx
    int g = blockIdx.x * 64 + threadIdx.x;
    idx[g] = g / 2;
    out[idx[g]] = g; //~ here
}

// [distinct] Different elements may be next to each other.
//~ race
__global__ void distinct_neighbours_bad(const int *idx, int *out)
{
    // warplog: distinct idx
    int g = blockIdx.x * 64 + threadIdx.x;
    out[idx[g]] = g; //~ here
    out[idx[g] + 1] = g; //~ here
}

// [distinct] Halves of different numbers need not be different.
//~ race
__global__ void distinct_halves_bad(const int *idx, int *out)
{
    // warplog: distinct idx
    int g = blockIdx.x * 64 + threadIdx.x;
    out[idx[g] / 2] = g; //~ here
}

// Pointers in a structure, said to be arrays of their own.
struct pair_of_arrays { int *a; int *b; };
//~ race-free
__global__ void fresh_fields_ok(pair_of_arrays p)
{
    __requires_fresh_array(p.a);
    __requires_fresh_array(p.b);
    int g = blockIdx.x * 64 + threadIdx.x;
    p.a[g] = p.b[127 - g];
}

// One of them is written and read.
//~ race
__global__ void fresh_fields_bad(pair_of_arrays p)
{
    __requires_fresh_array(p.a);
    __requires_fresh_array(p.b);
    int g = blockIdx.x * 64 + threadIdx.x;
    p.a[g] = p.a[127 - g]; //~ here
}
