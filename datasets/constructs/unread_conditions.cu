//--blockDim=64 --gridDim=2
// Construct: conditions with macros of a header that is not there, and what depends on them
#include "unread_config.h"

#if UNREAD_IS_SET(UNREAD_PROFILE)
#include "unread_profile.h"
#else
#define unread_begin(name)
#endif

#if UNREAD_IS_SET(UNREAD_STEPS)
__device__ int unread_step(int t) { return t / 2; }
#else
__device__ int unread_step(int t) { return t; }
#endif

// It depends on no such condition.
//~ race-free
__global__ void unread_apart_ok(int *g)
{
    g[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// [index] So does this one.
//~ race
__global__ void unread_apart_bad(int *g)
{
    g[blockIdx.x * blockDim.x + threadIdx.x / 2] = threadIdx.x; //~ here
}

// Of two functions one is meant.
//~ unknown
__global__ void unread_function_open(int *g)
{
    g[blockIdx.x * blockDim.x + unread_step(threadIdx.x)] = 1;
}

// The macro may stand for anything.
//~ unknown
__global__ void unread_macro_open(int *g)
{
    unread_begin("store");
    g[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// Which of two stores there is.
//~ unknown
__global__ void unread_part_open(int *g)
{
#if UNREAD_IS_SET(UNREAD_HALVES)
    g[threadIdx.x / 2] = 1;
#else
    g[blockIdx.x * blockDim.x + threadIdx.x] = 1;
#endif
}
