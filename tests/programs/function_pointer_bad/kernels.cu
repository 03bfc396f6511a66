#include "ops.h"

//~ race
__global__ void shift(int *to, const int *from) {
    to[threadIdx.x] = from[threadIdx.x + 1];
}

void run(int *a, int *b, Chooser choose) {
    shift<<<1, 64>>>(a, choose(a, b));
}
