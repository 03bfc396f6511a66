//--blockDim=64 --gridDim=1
// Construct: constant variables of the device: numbers, flags, tables in tables

__device__ const int spacing = 2;
__device__ static constexpr int distance = spacing + 1;
__constant__ const bool spread = true;
const __device__ unsigned char narrow{255};
__device__ const int steps[2][2] = {{1, 2}, {4}};
__constant__ const bool used[4] = {true, true, false, true};
__constant__ int changed = 1;

// Each thread has two elements.
//~ race-free
__global__ void constant_number_ok(int *g)
{
    int t = threadIdx.x;
    g[t * spacing] = t;
    g[t * spacing + 1] = t;
}

// [extent] Three are written.
//~ race
__global__ void constant_number_bad(int *g)
{
    int t = threadIdx.x;
    for (int i = 0; i < distance; i++) g[t * spacing + i] = t; //~ here
}

// The flag is set.
//~ race-free
__global__ void constant_flag_ok(int *g)
{
    int t = threadIdx.x;
    g[spread ? t : 0] = t;
}

// [index] The flag is set, and the wrong arm is taken.
//~ race
__global__ void constant_flag_bad(int *g)
{
    int t = threadIdx.x;
    g[spread ? 0 : t] = t; //~ here
}

// 255 is the largest number of its type.
//~ race-free
__global__ void constant_narrow_ok(int *g)
{
    int t = threadIdx.x;
    if (narrow > 0) g[t] = t;
    else g[0] = t;
}

// [index] One more is 256 in an int, and no thread has that index.
//~ race
__global__ void constant_narrow_bad(int *g)
{
    int t = threadIdx.x;
    g[t / (narrow + 1)] = t; //~ here
}

// Rows of a table, of which one is not filled.
//~ race-free
__global__ void constant_rows_ok(int *g)
{
    int t = threadIdx.x;
    g[t * steps[1][0] + steps[1][1]] = t;
    for (int i = 0; i < 2; i++) g[t * 4 + steps[0][i]] = i;
}

// [index] What the table leaves out is zero.
//~ race
__global__ void constant_rows_bad(int *g)
{
    int t = threadIdx.x;
    g[t * steps[1][1]] = t; //~ here
}

// Who has the third flag writes nothing.
//~ race-free
__global__ void constant_flags_ok(int *g)
{
    int t = threadIdx.x;
    g[used[t & 3] ? t : 64 + t] = t;
}

// [index] Sixteen threads have the third flag.
//~ race
__global__ void constant_flags_bad(int *g)
{
    int t = threadIdx.x;
    g[used[t & 3] ? t : 64] = t; //~ here
}

// Host code may change what is not constant for it: any value must do.
//~ race-free
__global__ void constant_changed_ok(int *g)
{
    int t = threadIdx.x;
    g[t + changed] = t;
}

// [index] It may be zero.
//~ race
__global__ void constant_changed_bad(int *g)
{
    int t = threadIdx.x;
    g[t * changed] = t; //~ here
}
