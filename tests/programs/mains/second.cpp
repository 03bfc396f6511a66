#include <cuda_runtime.h>
#include "ops.h"

int main() {
    float *a, *b;
    cudaMalloc(&a, 8000);
    cudaMalloc(&b, 8000);
    move_left(b, a, 2000);
}
