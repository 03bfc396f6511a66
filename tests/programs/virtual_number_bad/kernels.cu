#include "source.h"

//~ race
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

void run(int *sums, Shape &shape) {
    fold<<<1, 64>>>(sums, shape.width());
}
