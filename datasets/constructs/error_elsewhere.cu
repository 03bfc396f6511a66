//--blockDim=64 --gridDim=2
// Construct: `#error` in conditions that the file is not compiled with, and what depends on them

#if !(ELSEWHERE_TIMERS > 0)
#error "no timers"
#endif

#if !defined(ELSEWHERE_PRECISION)
#error "the build says which precision"
#endif

#if ELSEWHERE_PRECISION
typedef short elsewhere_real;
#define ELSEWHERE_STEP 1
#else
typedef int elsewhere_real;
#define ELSEWHERE_STEP 2
#endif

struct ElsewherePair
{
    elsewhere_real first, second;
};

__device__ int elsewhere_step(int t) { return ELSEWHERE_STEP * t; }
__device__ int elsewhere_plain(int t) { return 2 * t; }

// It depends on neither.
//~ race-free
__global__ void elsewhere_apart_ok(int *g)
{
    g[blockIdx.x * blockDim.x + threadIdx.x] = elsewhere_plain(1);
}

// [index] So does this one.
//~ race
__global__ void elsewhere_apart_bad(int *g)
{
    g[elsewhere_plain(threadIdx.x)] = blockIdx.x; //~ here
}

// Its type is that of the build.
//~ unknown
__global__ void elsewhere_type_open(elsewhere_real *g)
{
    g[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// The type of what it takes holds the one of the build.
//~ unknown
__global__ void elsewhere_member_open(ElsewherePair *g)
{
    g[blockIdx.x * blockDim.x + threadIdx.x].second = 1;
}

// It is racy with the other value of the macro.
//~ unknown
__global__ void elsewhere_macro_open(int *g)
{
    int at = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    g[at] = 1;
    g[at + ELSEWHERE_STEP - 1] = 1;
}

// So is what calls a function with that macro.
//~ unknown
__global__ void elsewhere_call_open(int *g)
{
    g[blockIdx.x * 128 + elsewhere_step(threadIdx.x)] = 1;
}

// A part of it is left out here.
//~ unknown
__global__ void elsewhere_part_open(int *g)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
#if ELSEWHERE_TIMERS > 1
    at /= 2;
#endif
    g[at] = 1;
}

// A statement of it is made by a macro that is empty here.
#if ELSEWHERE_TIMERS > 2
#define ELSEWHERE_TICK(at) at /= 2
#else
#define ELSEWHERE_TICK(at)
#endif

//~ unknown
__global__ void elsewhere_tick_open(int *g)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    ELSEWHERE_TICK(at);
    g[at] = 1;
}
