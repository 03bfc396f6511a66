#include "ops.h"

namespace {
//~ race-free
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}
}

void fold_ones(int *sums) {
    fold<<<1, 64>>>(sums, 1);
}
