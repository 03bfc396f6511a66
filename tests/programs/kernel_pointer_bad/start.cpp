#include <cuda_runtime.h>
#include "ops.h"

void start(const void *kernel, int *sums, int width) {
    int more = width + 1;
    void *arguments[] = {&sums, &more};
    cudaLaunchKernel(kernel, dim3(1), dim3(64), arguments, 0, 0);
}
