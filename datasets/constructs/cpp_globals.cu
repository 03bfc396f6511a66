//--blockDim=64 --gridDim=1
// Construct: __constant__, __device__ and __managed__ globals

struct Config { int step; int first; };

__constant__ int factors[4] = {1, 2, 3, 4};
__constant__ Config config;
__device__ int total;
__device__ int rows[8][64];
__device__ Config shared_config;
__managed__ int flags[64];
__device__ int *where;
static __device__ const int shifts[2] = {0, 64};

namespace deep { __device__ int total; }

__device__ void note(int i, int v) { flags[i] = v; }

// Reading constants is no race.
//~ race-free
__global__ void global_constant_ok(int *g)
{
    int t = threadIdx.x;
    if (factors[t & 3] > 2) g[t] = factors[1];
    g[t] = config.first;
}

// [content] The content of a constant may be 0.
//~ race
__global__ void global_constant_bad(int *g)
{
    int t = threadIdx.x;
    g[t * config.step] = t; //~ here
}

// An array of the device, each thread its column.
//~ race-free
__global__ void global_array_ok()
{
    int t = threadIdx.x;
    for (int r = 0; r < 8; r++) rows[r][t] = t;
}

// [index] The columns of neighbouring rows meet.
//~ race
__global__ void global_array_bad()
{
    int t = threadIdx.x;
    int *p = &rows[0][0];
    rows[1][t] = t; //~ here
    p[65 + t] = t; //~ here
}

// One thread.
//~ race-free
__global__ void global_scalar_ok()
{
    if (threadIdx.x == 0) total = 5;
    if (threadIdx.x == 1) deep::total = 5;
}

// [global] All threads.
//~ race
__global__ void global_scalar_bad()
{
    total += threadIdx.x; //~ here
}

// Through a function.
//~ race-free
__global__ void global_managed_ok()
{
    note(threadIdx.x, 1);
}

// [global] The function writes the managed array, which the kernel reads elsewhere.
//~ race
__global__ void global_managed_bad(int *out)
{
    int t = threadIdx.x;
    flags[t] = t; //~ here
    out[t] = flags[63 - t]; //~ here
}

// Fields of a global struct by two threads.
//~ race-free
__global__ void global_struct_ok()
{
    if (threadIdx.x == 0) shared_config.step = 1;
    if (threadIdx.x == 1) shared_config.first = 1;
}

// [global] One field.
//~ race
__global__ void global_struct_bad()
{
    if (threadIdx.x < 2) shared_config.step = threadIdx.x; //~ here
}

// An array behind a global pointer.
//~ race-free
__global__ void global_pointer_ok()
{
    where[threadIdx.x] = 1;
}

// [global] Its start is everybody's.
//~ race
__global__ void global_pointer_bad()
{
    where[0] = threadIdx.x; //~ here
}

// A constant array of the unit.
//~ race-free
__global__ void global_const_ok(int *g)
{
    int t = threadIdx.x;
    g[shifts[1] + t] = t;
    g[shifts[0] + t] = t;
}
