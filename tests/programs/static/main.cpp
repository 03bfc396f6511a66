#include <cuda_runtime.h>
#include "ops.h"

static int choose() {
    return 1;
}

int main() {
    int *sums;
    cudaMalloc(&sums, 256 * sizeof(int));
    fold_rows(sums, choose());
}
