//--blockDim=64 --gridDim=1
// Row: contradictory assumptions make every query unsatisfiable

// [vacuity] The launch says 64: no execution is left, and that proves nothing.
//~ error
__global__ void contradictory_requires_bad()
{
    __requires(blockDim.x == 32);
    __shared__ int s[64];
    s[0] = threadIdx.x;
}

// [vacuity] The same kernel with an assumption that holds is racy.
//~ race
__global__ void contradictory_requires_met_bad()
{
    __requires(blockDim.x == 64);
    __shared__ int s[64];
    s[0] = threadIdx.x; //~ here
}

// An assumption that holds, and an index that is the thread's own.
//~ race-free
__global__ void contradictory_requires_ok()
{
    __requires(blockDim.x == 64);
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
}
