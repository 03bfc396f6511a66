//--blockDim=[16,16] --gridDim=1 -DTILE=16
// Construct: macros in dimensions, expressions and statements

#define PAD 1
#define AREA (TILE * (TILE + PAD))
#define AT(r, c) ((r) * (TILE + PAD) + (c))
#define BAD_AT(r, c) r * (TILE - PAD) + c
#define FENCE() __syncthreads()
#define SWAP(a, b) do { int tmp_ = (a); (a) = (b); (b) = tmp_; } while (0)
#ifdef NO_BARRIER_WANTED
#define MAYBE_FENCE() __syncthreads()
#else
#define MAYBE_FENCE()
#endif

// One element a thread, with padding.
//~ race-free
__global__ void macro_dimensions_ok(int *out)
{
    __shared__ int s[AREA];
    int x = threadIdx.x, y = threadIdx.y;
    s[AT(y, x)] = x;
    FENCE();
    out[y * TILE + x] = s[AT(x, y)];
}

// [index] Rows of 15 for 16 columns.
//~ race
__global__ void macro_dimensions_bad()
{
    __shared__ int s[AREA];
    int x = threadIdx.x, y = threadIdx.y;
    s[BAD_AT(y, x)] = y; //~ here
}

// [macro] The barrier macro is empty in this configuration.
//~ race
__global__ void macro_empty_barrier_bad(int *out)
{
    __shared__ int s[AREA];
    int x = threadIdx.x, y = threadIdx.y;
    s[AT(y, x)] = x; //~ here
    MAYBE_FENCE();
    out[y * TILE + x] = s[AT(x, y)]; //~ here
}

// Neighbouring columns are exchanged by the even threads.
//~ race-free
__global__ void macro_swap_ok(int *g)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x % 2 == 0) SWAP(g[AT(y, x)], g[AT(y, x + 1)]);
}

// [macro] All threads exchange.
//~ race
__global__ void macro_swap_bad(int *g)
{
    int x = threadIdx.x, y = threadIdx.y;
    SWAP(g[AT(y, x)], g[AT(y, x + 1)]); //~ here
}
