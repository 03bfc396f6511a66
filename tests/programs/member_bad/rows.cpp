#include <cuda_runtime.h>
#include "rows.h"

Rows::Rows() {
    cudaMalloc(&to, 1024);
    from = to;
}
