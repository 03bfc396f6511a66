//--blockDim=64 --gridDim=2
// Contracts: assertions are checked, and used by nothing

// Holds of every thread.
//~ race-free
__global__ void assertion_ok(int *out, int n)
{
    __requires(n > 0);
    int t = threadIdx.x;
    __assert(t < 64 && t + n > 0);
    out[blockIdx.x * 64 + t] = t;
}

// The last thread violates it.
//~ assertion
__global__ void assertion_last_thread_bad(int *out)
{
    int t = threadIdx.x;
    __assert(t < 63); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// C's assert is checked as well.
//~ race-free
__global__ void c_assert_ok(int *out)
{
    int t = threadIdx.x;
    assert(t >= 0 && "threads count from 0");
    out[blockIdx.x * 64 + t] = t;
}

// What a kernel asserts about its parameters is its caller's duty.
//~ race-free
__global__ void c_assert_parameter_ok(int *out, int n)
{
    int t = threadIdx.x;
    assert(n != 7);
    out[blockIdx.x * 64 + t] = n;
}

// Only threads that get there are asked.
//~ race-free
__global__ void assertion_in_branch_ok(int *out)
{
    int t = threadIdx.x;
    if (t < 32) {
        __assert(t < 32);
        out[blockIdx.x * 64 + t] = t;
    }
}

// The other arm is the one that violates it.
//~ assertion
__global__ void assertion_in_branch_bad(int *out)
{
    int t = threadIdx.x;
    if (t >= 32) {
        __assert(t < 32); //~ here
        out[blockIdx.x * 64 + t] = t;
    }
}

// What a thread that left earlier would violate does not count.
//~ race-free
__global__ void assertion_after_return_ok(int *out, int n)
{
    int t = threadIdx.x;
    if (t >= n) return;
    __assert(t < n);
    out[blockIdx.x * 64 + t] = t;
}

// In each iteration.
//~ race-free
__global__ void assertion_in_loop_ok(int *out)
{
    int t = threadIdx.x;
    for (int i = 0; i < 10; i++) {
        __assert(i < 10);
        out[(blockIdx.x * 64 + t) * 10 + i] = i;
    }
}

// In the last iteration.
//~ assertion
__global__ void assertion_in_loop_bad(int *out)
{
    int t = threadIdx.x;
    for (int i = 0; i < 10; i++) {
        int next = i + 1;
        __assert(next < 10); //~ here
        out[(blockIdx.x * 64 + t) * 10 + i] = next;
    }
}

// Contents of memory are arbitrary: the alarm is potential.
//~ assertion
__global__ void assertion_about_memory_bad(const int *in, int *out)
{
    int t = threadIdx.x;
    __assert(in[t] >= 0); //~ here
    out[blockIdx.x * 64 + t] = in[t];
}

// Unless something is said of them.
//~ race-free
__global__ void assertion_about_memory_ok(const int *in, int *out)
{
    int t = threadIdx.x;
    __requires(in[threadIdx.x] >= 0);
    __assert(in[t] >= 0);
    out[blockIdx.x * 64 + t] = in[t];
}

// Reading in an annotation is no access: nobody reads s[63 - t] beside the write.
//~ race-free
__global__ void annotation_reads_nothing_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __assert(s[63 - t] == s[63 - t] || t >= 0);
    out[blockIdx.x * 64 + t] = t;
}

// Reading in C's assert is one: the program does it.
//~ race
__global__ void c_assert_reads_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    assert(s[63 - t] < 64 || t >= 0); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// [assumed] An assertion that fails must not be used as if it held: all threads write.
//~ race
__global__ void failed_assertion_hides_nothing_bad(int *out)
{
    int t = threadIdx.x;
    __assert(t == 0); //~ here
    out[0] = t; //~ here
}

// [assumed] The same of one that nobody can decide.
//~ race
__global__ void undecided_assertion_hides_nothing_bad(const int *in, int *out)
{
    int t = threadIdx.x;
    __assert(in[t] == t); //~ here
    out[in[t]] = t; //~ here
}

// For all threads, those that skip the branch included.
//~ race-free
__global__ void global_assertion_ok(int *out, int n)
{
    __requires(n > 8);
    int t = threadIdx.x;
    if (t < 32) {
        __global_assert(n > 0);
        out[blockIdx.x * 64 + t] = n;
    }
}

// It holds of the active threads only.
//~ assertion
__global__ void global_assertion_bad(int *out)
{
    int t = threadIdx.x;
    if (t < 32) {
        __global_assert(t < 32); //~ here
        out[blockIdx.x * 64 + t] = t;
    }
}

// With the word for being active it says no more than the plain form.
//~ race-free
__global__ void global_assertion_enabled_ok(int *out)
{
    int t = threadIdx.x;
    if (t < 32) {
        __global_assert(__implies(__enabled(), t < 32));
        out[blockIdx.x * 64 + t] = t;
    }
}
