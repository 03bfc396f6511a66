#include <cuda_runtime.h>
#include "ops.h"

int main() {
    float *a, *b;
    cudaMalloc(&a, 4000);
    cudaMalloc(&b, 4000);
    move_left(a, b, 1000);
}
