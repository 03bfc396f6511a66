//--blockDim=192 --gridDim=342
// The square of a global index wraps in this very launch.

// [square] Index 65,536 is one of them: its square is 2³².
//~ race
__global__ void square_of_id_bad(int *o)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i * i] = threadIdx.x; //~ here
}

// Of 64 bits.
//~ race-free
__global__ void square_of_id_ok(int *o)
{
    unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i * i] = threadIdx.x;
}
