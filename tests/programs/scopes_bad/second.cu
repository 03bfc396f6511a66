#include "second.h"
#include "vectors.h"

//~ race-free
__global__ void fall(float *out) {
    out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}

void after::sweep(float *target, int count) {
    fall<<<4, count>>>(target);
}
