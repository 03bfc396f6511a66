#include "width.h"

//~ race
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

void fold_rows(int *sums) {
    // The header that is not there has `static const int width = 2;`.
    fold<<<1, 64>>>(sums, width);
}
