#include "ops.h"

namespace {
//~ race
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}
}

void fold_pairs(int *sums) {
    fold<<<1, 64>>>(sums, 2);
}
