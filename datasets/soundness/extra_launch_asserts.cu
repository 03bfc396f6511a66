// Soundness: `assert` does nothing where NDEBUG is defined

#define NDEBUG
#include <cassert>

// [no-assert] What it says need not hold.
//~ race
__global__ void assert_nothing_bad(int *o, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i % w] = i; //~ here
}

// What the program asks for does.
//~ race-free
__global__ void assert_asked_ok(int *o, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i % w] = i;
}

void assert_host(int *o, int n, int w)
{
    assert(w >= n);
    if (w > 0) assert_nothing_bad<<<(n + 63) / 64, 64>>>(o, n, w);
    if (w >= n) assert_asked_ok<<<(n + 63) / 64, 64>>>(o, n, w);
}
