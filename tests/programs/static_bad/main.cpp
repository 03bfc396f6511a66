#include <cuda_runtime.h>
#include "ops.h"

static int choose() {
    return 2;
}

int main() {
    int *sums;
    cudaMalloc(&sums, 256 * sizeof(int));
    fold_rows(sums, choose());
}
