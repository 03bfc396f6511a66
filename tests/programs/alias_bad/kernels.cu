#include "ops.h"

//~ race
__global__ void shift(float *to, const float *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) {
        to[i] = from[i + 1];
    }
}

void move_left(float *to, const float *from, int n) {
    shift<<<(n + 127) / 128, 128>>>(to, from, n);
}
