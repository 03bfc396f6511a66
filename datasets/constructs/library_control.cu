//--blockDim=64 --gridDim=1
// Construct: printing, traps, sleeping and hints

// What is printed is read.
//~ race
__global__ void library_printf_bad(int *a)
{
    int t = threadIdx.x;
    a[t] = t; //~ here
    if (t == 0) printf("%d %d\n", t, a[1]); //~ here
}

// Each its own.
//~ race-free
__global__ void library_printf_ok(int *a)
{
    int t = threadIdx.x;
    a[t] = t;
    printf("%d %d\n", t, a[t]);
}

// A trap ends the launch; the other path is looked at.
//~ race
__global__ void library_trap_bad(int *a, int n)
{
    int t = threadIdx.x;
    if (n < 0) __trap();
    a[0] = t; //~ here
}

// What is promised to the compiler is believed.
//~ race-free
__global__ void library_assume_ok(int *a, int n)
{
    int t = threadIdx.x;
    __builtin_assume(n >= 64);
    a[t % n] = t;
}

// [index] The promise is too weak.
//~ race
__global__ void library_assume_bad(int *a, int n)
{
    int t = threadIdx.x;
    __builtin_assume(n >= 63);
    a[t % n] = t; //~ here
}

// An aligned pointer is the same pointer.
//~ race-free
__global__ void library_aligned_ok(float *a)
{
    float *p = (float *)__builtin_assume_aligned(a, 16);
    if (__builtin_expect(threadIdx.x < 64, 1)) p[threadIdx.x] = a[threadIdx.x] + 1.0f;
}

// [alias]
//~ race
__global__ void library_aligned_bad(float *a)
{
    float *p = (float *)__builtin_assume_aligned(a, 16);
    p[threadIdx.x] = a[threadIdx.x ^ 1]; //~ here
}
