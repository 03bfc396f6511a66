#include "ops.h"

static float *kept;
float *fetch(int n) {
    if (kept == nullptr) {
        cudaMalloc(&kept, n * sizeof(float));
    }
    return kept;
}
