#include "ops.h"

//~ race
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

void fold_rows(int *sums, int width) {
    fold<<<1, 64>>>(sums, width);
}
