#define WIDTH 1
#include <cuda_runtime.h>
#include "ops.h"

int main() {
    int *sums;
    cudaMalloc(&sums, 256 * sizeof(int));
    fold_rows(sums, WIDTH);
}
