#include "ops.h"

//~ race-free
__global__ void scatter(int *p, int step) {
    p[threadIdx.x * step] = threadIdx.x;
}

void spread(int *p, unsigned char step) {
    scatter<<<1, 32>>>(p, step);
}
