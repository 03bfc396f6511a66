//--blockDim=64 --gridDim=2
// Construct: states of random number generators
#include <curand_kernel.h>

// One state a thread.
//~ race-free
__global__ void library_random_ok(curandState *states, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(42, i, 0, &states[i]);
    out[i] = curand_uniform(&states[i]);
}

// [cross block] Blocks share the states.
//~ race
__global__ void library_random_bad(curandState *states, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = curand_uniform(&states[threadIdx.x]); //~ here
}

// Drawn from a copy in registers.
//~ race-free
__global__ void library_random_copy_ok(curandStatePhilox4_32_10_t *states, float4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t mine = states[i];
    out[i] = curand_uniform4(&mine);
    states[i] = mine;
}

// [cross block] The copy goes back to another's place.
//~ race
__global__ void library_random_copy_bad(curandStatePhilox4_32_10_t *states, float4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t mine = states[i]; //~ here
    out[i] = curand_normal4(&mine);
    states[127 - i] = mine; //~ here
}

// [data-dependent index] A random place may be anybody's.
//~ race
__global__ void library_random_index_bad(curandState *states, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r = curand(&states[i]);
    out[r % 128] = i; //~ here
}
