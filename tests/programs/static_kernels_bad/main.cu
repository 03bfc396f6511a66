#include "ops.h"

//~ race
static __global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    fold_rows(sums);
    fold<<<1, 64>>>(sums, 2);
}
