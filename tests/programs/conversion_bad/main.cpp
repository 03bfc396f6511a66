#include <cuda_runtime.h>
#include "ops.h"

int main() {
    int *p;
    cudaMalloc(&p, 1 << 20);
    spread(p, 256);
}
