#include "ops.h"

//~ race
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    start((const void *)fold, sums, 1);
}
