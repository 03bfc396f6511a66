#include "ops.h"

static int width = 1;

//~ race
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    fold<<<1, 64>>>(sums, width * width_of_rows());
}
