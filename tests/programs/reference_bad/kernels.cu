#include "ops.h"

//~ race
__global__ void wrap(int *sums) {
    sums[threadIdx.x % 32] = threadIdx.x;
}

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    int n = 32;
    adjust(n);
    wrap<<<1, n>>>(sums);
}
