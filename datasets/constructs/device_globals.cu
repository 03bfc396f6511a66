//--blockDim=64 --gridDim=2
// Construct: __device__ and __constant__ variables of the file

__device__ int hits;
__device__ int table[128];
__constant__ int weight[64];

// A global counter by atomic, a table by the global id, constants read only.
//~ race-free
__global__ void device_globals_ok()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&hits, 1);
    table[i] = weight[i & 63];
}

// [missing-atomic] The counter is shared by all blocks.
//~ race
__global__ void device_globals_bad()
{
    hits += 1; //~ here
}

// [cross-block] The table belongs to the grid, not to the block.
//~ race
__global__ void device_globals_table_bad()
{
    table[threadIdx.x] = blockIdx.x; //~ here
}

// [content] The index comes from constant memory, whose contents are arbitrary.
//~ race
__global__ void device_globals_constant_bad()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    table[weight[threadIdx.x] & 127] = i; //~ here
}
