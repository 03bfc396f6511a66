//--blockDim=64 --gridDim=1
// Pointers that are made numbers, moved by bytes, and made pointers again
#include <cstdint>

//~ race-free
__global__ void address_ok(int *g)
{
    int t = threadIdx.x;
    int *p = (int *)((uintptr_t)g + t * 8);
    *p = t;
}

// [overlap] Two bytes apart, and four bytes each.
//~ race
__global__ void address_overlap_bad(int *g)
{
    int t = threadIdx.x;
    int *p = (int *)((uintptr_t)g + t * 2);
    *p = t; //~ here
}

// [shared-cell] Backwards from the end, two threads at one byte.
//~ race
__global__ void address_back_bad(char *g)
{
    unsigned t = threadIdx.x;
    char *p = reinterpret_cast<char *>(reinterpret_cast<unsigned long>(g + 64) - t / 2);
    *p = t; //~ here
}

// [shared-cell] The same array by its name.
//~ race
__global__ void address_name_bad(int *g)
{
    int t = threadIdx.x;
    g[t] = t; //~ here
    *(int *)((size_t)g + 4 * (63 - t)) = t + 1; //~ here
}

//~ race-free
__global__ void address_name_ok(int *g)
{
    int t = threadIdx.x;
    g[t] = t;
    *(int *)((size_t)g + 4 * t) = t + 1;
}

__device__ uintptr_t first(int **p)
{
    __shared__ int cells[64];
    *p = cells;
    return (uintptr_t)cells;
}

__device__ uintptr_t second(int **p)
{
    __shared__ int cells[64];
    *p = cells;
    return (uintptr_t)cells;
}

// [shared-cell] Two arrays of one name: the first is meant.
//~ fn_race
__global__ void address_of_name_bad(int *out)
{
    int t = threadIdx.x;
    int *p, *q;
    uintptr_t one = first(&p);
    uintptr_t other = second(&q);
    *(int *)(one + 4 * t) = t;
    out[t] = p[63 - t] + (int)(other & 1);
}
