#include <cuda_runtime.h>
#include "ops.h"

int main() {
    float *rows, *columns;
    cudaMalloc(&rows, 4096 * sizeof(float));
    cudaMalloc(&columns, 4096 * sizeof(float));
    move_left(rows, rows, 4096);
    cudaFree(rows);
    cudaFree(columns);
    return 0;
}
