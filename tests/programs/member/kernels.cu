#include "rows.h"

//~ race-free
__global__ void shift(int *to, const int *from) {
    to[threadIdx.x] = from[threadIdx.x + 1];
}

void Rows::run() {
    shift<<<1, 64>>>(to, from);
}
