#include "first.h"
#include "vectors.h"

//~ race-free
__global__ void rise(float *out) {
    out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
}

void before::sweep(float *target, int count) {
    rise<<<4, count>>>(target);
}
