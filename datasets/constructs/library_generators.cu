//--blockDim=64 --gridDim=1
// Construct: each function of a generator reads and writes its state
#include <curand_kernel.h>

// Each thread has a state of its own.
//~ race-free
__global__ void generator_init_ok(curandState *s, float *out)
{
    curand_init(7, threadIdx.x, 0, s + threadIdx.x);
}

// [state] Two threads share one.
//~ race
__global__ void generator_init_bad(curandState *s, float *out)
{
    curand_init(7, threadIdx.x, 0, s + threadIdx.x / 2); //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_bits_ok(curandState *s, float *out)
{
    out[threadIdx.x] = curand(s + threadIdx.x);
}

// [state] Two threads share one.
//~ race
__global__ void generator_bits_bad(curandState *s, float *out)
{
    out[threadIdx.x] = curand(s + threadIdx.x / 2); //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_uniform_double_ok(curandState *s, float *out)
{
    out[threadIdx.x] = curand_uniform_double(s + threadIdx.x);
}

// [state] Two threads share one.
//~ race
__global__ void generator_uniform_double_bad(curandState *s, float *out)
{
    out[threadIdx.x] = curand_uniform_double(s + threadIdx.x / 2); //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_normal_pair_ok(curandState *s, float *out)
{
    out[threadIdx.x] = curand_normal2(s + threadIdx.x).x;
}

// [state] Two threads share one.
//~ race
__global__ void generator_normal_pair_bad(curandState *s, float *out)
{
    out[threadIdx.x] = curand_normal2(s + threadIdx.x / 2).x; //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_normal_pair_double_ok(curandState *s, float *out)
{
    out[threadIdx.x] = curand_normal2_double(s + threadIdx.x).y;
}

// [state] Two threads share one.
//~ race
__global__ void generator_normal_pair_double_bad(curandState *s, float *out)
{
    out[threadIdx.x] = curand_normal2_double(s + threadIdx.x / 2).y; //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_log_normal_ok(curandState *s, float *out)
{
    out[threadIdx.x] = curand_log_normal(s + threadIdx.x, 0.0f, 1.0f);
}

// [state] Two threads share one.
//~ race
__global__ void generator_log_normal_bad(curandState *s, float *out)
{
    out[threadIdx.x] = curand_log_normal(s + threadIdx.x / 2, 0.0f, 1.0f); //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_log_normal_double_ok(curandState *s, float *out)
{
    out[threadIdx.x] = curand_log_normal_double(s + threadIdx.x, 0.0, 1.0);
}

// [state] Two threads share one.
//~ race
__global__ void generator_log_normal_double_bad(curandState *s, float *out)
{
    out[threadIdx.x] = curand_log_normal_double(s + threadIdx.x / 2, 0.0, 1.0); //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_log_normal_pair_ok(curandState *s, float *out)
{
    out[threadIdx.x] = curand_log_normal2(s + threadIdx.x, 0.0f, 1.0f).x;
}

// [state] Two threads share one.
//~ race
__global__ void generator_log_normal_pair_bad(curandState *s, float *out)
{
    out[threadIdx.x] = curand_log_normal2(s + threadIdx.x / 2, 0.0f, 1.0f).x; //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_log_normal_pair_double_ok(curandState *s, float *out)
{
    out[threadIdx.x] = curand_log_normal2_double(s + threadIdx.x, 0.0, 1.0).x;
}

// [state] Two threads share one.
//~ race
__global__ void generator_log_normal_pair_double_bad(curandState *s, float *out)
{
    out[threadIdx.x] = curand_log_normal2_double(s + threadIdx.x / 2, 0.0, 1.0).x; //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_poisson_ok(curandState *s, float *out)
{
    out[threadIdx.x] = curand_poisson(s + threadIdx.x, 3.0);
}

// [state] Two threads share one.
//~ race
__global__ void generator_poisson_bad(curandState *s, float *out)
{
    out[threadIdx.x] = curand_poisson(s + threadIdx.x / 2, 3.0); //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_skipped_ok(curandState *s, float *out)
{
    skipahead(threadIdx.x, s + threadIdx.x);
}

// [state] Two threads share one.
//~ race
__global__ void generator_skipped_bad(curandState *s, float *out)
{
    skipahead(threadIdx.x, s + threadIdx.x / 2); //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_four_ok(curandStatePhilox4_32_10_t *s, float *out)
{
    out[threadIdx.x] = curand4(s + threadIdx.x).w;
}

// [state] All share one.
//~ race
__global__ void generator_four_bad(curandStatePhilox4_32_10_t *s, float *out)
{
    out[threadIdx.x] = curand4(s).w; //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_uniform_four_double_ok(curandStatePhilox4_32_10_t *s, float *out)
{
    out[threadIdx.x] = curand_uniform4_double(s + threadIdx.x).x;
}

// [state] All share one.
//~ race
__global__ void generator_uniform_four_double_bad(curandStatePhilox4_32_10_t *s, float *out)
{
    out[threadIdx.x] = curand_uniform4_double(s).x; //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_log_normal_four_ok(curandStatePhilox4_32_10_t *s, float *out)
{
    out[threadIdx.x] = curand_log_normal4(s + threadIdx.x, 0.0f, 1.0f).x;
}

// [state] All share one.
//~ race
__global__ void generator_log_normal_four_bad(curandStatePhilox4_32_10_t *s, float *out)
{
    out[threadIdx.x] = curand_log_normal4(s, 0.0f, 1.0f).x; //~ here
}

// Each thread has a state of its own.
//~ race-free
__global__ void generator_poisson_four_ok(curandStatePhilox4_32_10_t *s, float *out)
{
    out[threadIdx.x] = curand_poisson4(s + threadIdx.x, 3.0).x;
}

// [state] All share one.
//~ race
__global__ void generator_poisson_four_bad(curandStatePhilox4_32_10_t *s, float *out)
{
    out[threadIdx.x] = curand_poisson4(s, 3.0).x; //~ here
}

// A function of a counter and a key.
//~ race-free
__global__ void generator_counted_ok(int *out)
{
    uint4 drawn = curand_Philox4x32_10(make_uint4(threadIdx.x, 0, 0, 0), make_uint2(1, 2));
    out[threadIdx.x] = drawn.x;
}

// [index] Its result may be the same for any two.
//~ race
__global__ void generator_counted_bad(int *out)
{
    uint4 drawn = curand_Philox4x32_10(make_uint4(threadIdx.x, 0, 0, 0), make_uint2(1, 2));
    out[drawn.x & 63] = threadIdx.x; //~ here
}
