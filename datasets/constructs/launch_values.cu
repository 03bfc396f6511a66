// Construct: sizes and arguments that host code computes

#include <algorithm>

#define LAUNCH_CEIL(n, b) (((n) + (b) - 1) / (b))

enum { LAUNCH_ROW = 48, LAUNCH_NEXT };

static const int LAUNCH_WIDTH = 2 * sizeof(double);

static inline int launch_ceil_div(int n, int b)
{
    return (n + b - 1) / b;
}

template <typename T>
T launch_round_up(T n, T to)
{
    T rest = n % to;
    if (rest == 0) return n;
    return n + to - rest;
}

// Every element has a thread, so the rows of n are written once.
//~ race-free
__global__ void launch_value_helper_ok(int *g, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    g[i] = n;
}

// [launch] The stride is n rounded up to blocks, minus one thread.
//~ race
__global__ void launch_value_helper_bad(int *g, int stride)
{
    g[blockIdx.y * stride + blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.y; //~ here
}

// The stride is exactly the threads of a row.
//~ race-free
__global__ void launch_value_relation_ok(int *g, int blocks)
{
    int row = blockIdx.y, column = blockIdx.x * 128 + threadIdx.x;
    g[row * blocks * 128 + column] = row;
}

// [launch] It is the number of blocks before it was changed.
//~ race
__global__ void launch_value_relation_bad(int *g, int blocks)
{
    int row = blockIdx.y, column = blockIdx.x * 128 + threadIdx.x;
    g[row * blocks * 128 + column] = row; //~ here
}

// At most 64 threads.
//~ race-free
__global__ void launch_value_min_ok(int *g)
{
    g[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
}

// [launch] At least 64.
//~ race
__global__ void launch_value_max_bad(int *g)
{
    g[blockIdx.x * 64 + threadIdx.x] = blockIdx.x; //~ here
}

// Rows of as many as the enumerator says.
//~ race-free
__global__ void launch_value_enum_ok(int *g)
{
    g[blockIdx.x * 48 + threadIdx.x] = blockIdx.x;
}

// [launch] The next enumerator is one more.
//~ race
__global__ void launch_value_enum_bad(int *g)
{
    g[blockIdx.x * 48 + threadIdx.x] = blockIdx.x; //~ here
}

// 16 threads, by sizeof.
//~ race-free
__global__ void launch_value_sizeof_ok(int *g)
{
    g[blockIdx.x * 16 + threadIdx.x] = blockIdx.x;
}

// [launch] 17 threads.
//~ race
__global__ void launch_value_sizeof_bad(int *g)
{
    g[blockIdx.x * 16 + threadIdx.x] = blockIdx.x; //~ here
}

// Rounded up in floating point.
//~ race-free
__global__ void launch_value_ceil_ok(int *g, int n, int blocks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    g[row * blocks * 256 + i] = row + n;
}

// [launch] A single is not a double: blocks is whatever the conversion gives.
//~ race
__global__ void launch_value_ceil_bad(int *g, int n, int blocks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    g[row * blocks * 256 + i] = row + n; //~ here
}

// The size was lowered on one way and stays a power of two on the other.
//~ race-free
__global__ void launch_value_branch_ok(int *g)
{
    g[blockIdx.x * 128 + threadIdx.x] = blockIdx.x;
}

// [launch] On one of the ways it is 256.
//~ race
__global__ void launch_value_branch_bad(int *g)
{
    g[blockIdx.x * 128 + threadIdx.x] = blockIdx.x; //~ here
}

// A member of a class holds the size.
//~ race-free
__global__ void launch_value_member_ok(int *g)
{
    g[blockIdx.x * 96 + threadIdx.x] = blockIdx.x;
}

// [launch] Another function may have changed the member.
//~ race
__global__ void launch_value_member_bad(int *g)
{
    g[blockIdx.x * 96 + threadIdx.x] = blockIdx.x; //~ here
}

// The global is constant.
//~ race-free
__global__ void launch_value_global_ok(int *g)
{
    g[blockIdx.x * LAUNCH_WIDTH + threadIdx.x] = blockIdx.x;
}

// [launch] This one is changed by a function of the file.
//~ race
__global__ void launch_value_global_bad(int *g)
{
    g[blockIdx.x * 16 + threadIdx.x] = blockIdx.x; //~ here
}

struct LaunchPlan {
    int threads;
    dim3 grid;
};

static int launch_width = 16;

void launch_widen() { launch_width *= 2; }

void launch_change_plan(LaunchPlan *plan);

void launch_values_host(int *d, int n, int rows, bool wide)
{
    int blocks = launch_ceil_div(n, 128);
    launch_value_helper_ok<<<LAUNCH_CEIL(n, 256), 256>>>(d, n);
    launch_value_helper_bad<<<dim3(blocks, rows), 128>>>(d, launch_round_up(n, 128) - 1);
    launch_value_relation_ok<<<dim3(blocks, rows), 128>>>(d, blocks);
    int before = blocks;
    blocks += 1;
    launch_value_relation_bad<<<dim3(blocks, rows), 128>>>(d, before);

    launch_value_min_ok<<<rows, std::min(n, 64)>>>(d);
    launch_value_max_bad<<<rows, std::max(n, 64)>>>(d);
    launch_value_enum_ok<<<rows, LAUNCH_ROW>>>(d);
    launch_value_enum_bad<<<rows, LAUNCH_NEXT>>>(d);
    launch_value_sizeof_ok<<<rows, LAUNCH_WIDTH>>>(d);
    launch_value_sizeof_bad<<<rows, LAUNCH_WIDTH + sizeof(char)>>>(d);

    int exact = (int)ceil((double)n / 256);
    launch_value_ceil_ok<<<dim3(exact, rows), 256>>>(d, n, exact);
    int rough = (int)ceil((float)n / 256);
    launch_value_ceil_bad<<<dim3(exact, rows), 256>>>(d, n, rough);

    int threads = 128;
    if (!wide) threads /= 2;
    launch_value_branch_ok<<<rows, threads>>>(d);
    if (wide) threads *= 2;
    launch_value_branch_bad<<<rows, threads>>>(d);

    LaunchPlan plan;
    plan.threads = 96;
    plan.grid = dim3(rows, 1);
    launch_value_member_ok<<<plan.grid, plan.threads>>>(d);
    launch_change_plan(&plan);
    launch_value_member_bad<<<plan.grid, plan.threads>>>(d);

    launch_value_global_ok<<<rows, LAUNCH_WIDTH>>>(d);
    launch_value_global_bad<<<rows, launch_width>>>(d);
}
