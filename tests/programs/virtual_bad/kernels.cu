#include "source.h"

//~ race
__global__ void shift(int *to, const int *from) {
    to[threadIdx.x] = from[threadIdx.x + 1];
}

void run(int *to, Source &source) {
    shift<<<1, 64>>>(to, source.get());
}
