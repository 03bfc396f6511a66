#include "ops.h"

//~ race
__global__ void shift(int *to, const int *from) {
    to[threadIdx.x] = from[threadIdx.x + 1];
}

void move(int *to, int *from) {
    shift<<<1, 64>>>(to, from);
}
