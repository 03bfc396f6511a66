#include <cuda_runtime.h>
#include "ops.h"

int width_of_rows() {
    return 1;
}

int main() {
    int *sums;
    cudaMalloc(&sums, 256 * sizeof(int));
    fold_rows(sums, width_of_rows());
}
