#include "ops.h"

float *fetch(int n) {
    float *fresh;
    cudaMalloc(&fresh, n * sizeof(float));
    return fresh;
}
