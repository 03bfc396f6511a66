#include "ops.h"

//~ race
__global__ void shift(int *to, const int *from) {
    to[threadIdx.x] = from[threadIdx.x + 1];
}

int main() {
    int *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    Rows rows = {a, b};
    fill(&rows, a, b);
    shift<<<1, 64>>>(rows.to, rows.from);
}
