#include <cuda_runtime.h>
#include "ops.h"

int *scratch(int bytes) {
    static int *kept;
    if (!kept)
        cudaMalloc(&kept, bytes);
    return kept;
}
