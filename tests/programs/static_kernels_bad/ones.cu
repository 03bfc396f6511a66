#include "ops.h"

//~ race-free
static __global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

void fold_rows(int *sums) {
    fold<<<1, 64>>>(sums, 1);
}
