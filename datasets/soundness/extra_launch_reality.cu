// Extra: launches that are not what the constants say

typedef void (*Kernel)(int *);

// [launch] The name is stored in a pointer as well: the kernel may run with any launch.
//~ race
__global__ void launch_by_pointer_bad(int *g)
{
    g[0] = threadIdx.x; //~ here
}

// [launch] The racy launch stands in a branch.
//~ race
__global__ void launch_in_branch_bad(int *g)
{
    g[threadIdx.x / 2] = threadIdx.x; //~ here
}

// [launch] The inner n hides the outer one.
//~ race
__global__ void launch_shadowed_bad(int *g)
{
    g[0] = threadIdx.x; //~ here
}

// [launch] A reference changes n.
//~ race
__global__ void launch_reference_bad(int *g)
{
    g[0] = threadIdx.x; //~ here
}

// The inner n ends with its block.
//~ race-free
__global__ void launch_shadowed_ok(int *g)
{
    g[0] = threadIdx.x;
}

// [launch] Integer division gives 2 blocks.
//~ race
__global__ void launch_division_bad(int *g)
{
    g[threadIdx.x] = blockIdx.x; //~ here
}

// Integer division gives 1 block.
//~ race-free
__global__ void launch_division_ok(int *g)
{
    g[threadIdx.x] = blockIdx.x;
}

static void twice_as_many(int &n) { n *= 2; }

void launch_reality_host(int *d, int argc)
{
    Kernel k = launch_by_pointer_bad;
    k<<<1, 64>>>(d);
    launch_by_pointer_bad<<<1, 1>>>(d);

    launch_in_branch_bad<<<1, 1>>>(d);
    if (argc > 2) launch_in_branch_bad<<<1, 64>>>(d);

    int n = 1;
    {
        int n = 64;
        launch_shadowed_bad<<<1, n>>>(d);
    }
    launch_shadowed_ok<<<1, n>>>(d);

    int m = 1;
    twice_as_many(m);
    launch_reference_bad<<<1, m>>>(d);

    launch_division_bad<<<255 / 100, 64>>>(d);
    launch_division_ok<<<199 / 100, 64>>>(d);
}
