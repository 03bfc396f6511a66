//--blockDim=64 --gridDim=2
// Construct: the scope of an atomic

// [atomic-scope] A block-wide atomic is not atomic for threads of other blocks.
//~ race
__global__ void atomic_scope_bad(int *g)
{
    atomicAdd_block(&g[0], 1); //~ here
}

// One element a block.
//~ race-free
__global__ void atomic_scope_ok(int *g)
{
    atomicAdd_block(&g[blockIdx.x], 1);
}

// System scope includes the grid.
//~ race-free
__global__ void atomic_scope_system_ok(int *g)
{
    atomicAdd_system(&g[0], 1);
    atomicAdd(&g[0], 1);
}

// [atomic-scope] One of the two is block-wide only.
//~ race
__global__ void atomic_scope_mixed_bad(int *g)
{
    if (blockIdx.x == 0) atomicAdd_block(&g[0], 1); //~ here
    else atomicAdd(&g[0], 1); //~ here
}
