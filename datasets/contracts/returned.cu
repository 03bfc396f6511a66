//--blockDim=64 --gridDim=2
// Contracts: returned pointers and truths, differences and products that do not wrap, truths of two threads, assumptions of a compiler

__device__ int *own_cell(int *p)
{
    __ensures(__ptr_offset_bytes(__return_val_ptr) == 4 * (blockIdx.x * 64 + threadIdx.x));
    return p + blockIdx.x * 64 + threadIdx.x;
}

// The pointer that is returned leads to the thread's own place.
//~ race-free
__global__ void returned_pointer_ok(int *out)
{
    *own_cell(out) = threadIdx.x;
}

__device__ int *wide_cell(int *p)
{
    __ensures(__ptr_offset_bytes(__return_val_ptr) == 8 * (blockIdx.x * 64 + threadIdx.x)); //~ here
    return p + blockIdx.x * 64 + threadIdx.x;
}

// Elements are counted, not pairs of them.
//~ assertion
__global__ void returned_pointer_bad(int *out)
{
    *wide_cell(out) = threadIdx.x;
}

// A promise about the pointer that is not kept hides no race.
//~ race
__global__ void returned_pointer_hides_nothing_bad(int *out)
{
    *wide_cell(out - threadIdx.x) = threadIdx.x; //~ here
}

__device__ bool is_leader(int t)
{
    __ensures(__return_val_bool == (t % 32 == 0));
    return (t & 31) == 0;
}

// The truth that is returned.
//~ race-free
__global__ void returned_truth_ok(int *out)
{
    int t = threadIdx.x;
    if (is_leader(t)) out[blockIdx.x * 2 + t / 32] = t;
}

__device__ bool is_early(int t)
{
    __ensures(__return_val_bool == (t < 16)); //~ here
    return t <= 16;
}

// One thread more than was promised.
//~ assertion
__global__ void returned_truth_bad(int *out)
{
    int t = threadIdx.x;
    if (is_early(t)) out[blockIdx.x * 64 + t] = t;
}

// A difference that does not wrap is no more than what it is taken from.
//~ race-free
__global__ void difference_without_wrap_ok(int *out, unsigned n)
{
    unsigned t = threadIdx.x;
    __assert(__sub_noovfl(n, t) <= n);
    out[blockIdx.x * 64 + t] = t;
}

// One that wraps may be.
//~ assertion
__global__ void difference_that_wraps_bad(int *out, unsigned n)
{
    unsigned t = threadIdx.x;
    __assert(n - t <= n); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// Only the difference that is named is taken not to wrap.
//~ assertion
__global__ void other_difference_bad(int *out, unsigned n, unsigned m)
{
    unsigned t = threadIdx.x;
    __assert(__sub_noovfl(n, t) <= n);
    __assert(m - t <= m); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// A product that does not wrap is no less than its factors.
//~ race-free
__global__ void product_without_wrap_ok(int *out, unsigned n)
{
    __requires(n > 0);
    unsigned t = threadIdx.x;
    __assert(__mul_noovfl(n, 4u) >= n);
    out[blockIdx.x * 64 + t] = t;
}

// One that wraps may be.
//~ assertion
__global__ void product_that_wraps_bad(int *out, unsigned n)
{
    __requires(n > 0);
    unsigned t = threadIdx.x;
    __assert(n * 4u >= n); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// Of two threads one is the first of the launch: the truths differ for some pairs only.
//~ assertion
__global__ void distinct_truths_bad(int *out)
{
    int t = threadIdx.x;
    __assert(__distinct_bool(t % 2 == 0)); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// Two threads in one block and of two, one in each half.
//~ race-free
__global__ void distinct_truths_ok(int *out)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    if (t == 5 || t == 70) {
        __assert(__distinct_bool(t < 64));
        out[t / 64] = t;
    }
}

// What the compiler may take for granted, so may we.
//~ race-free
__global__ void compiler_assumes_ok(int *out, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    __builtin_assume(n == 1);
    out[t * n] = t;
}

// It says too little: with 0 all threads write one place.
//~ race
__global__ void compiler_assumes_too_little_bad(int *out, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    __builtin_assume(n >= 0);
    out[t * n] = t; //~ here
}

// What is assumed in one arm is not in the other.
//~ race
__global__ void compiler_assumes_elsewhere_bad(int *out, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    if (t < 64) __builtin_assume(n == 1);
    out[t * n] = t; //~ here
}
