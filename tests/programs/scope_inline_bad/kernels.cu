#include "adjust.h"

//~ race
__global__ void wrap(int *sums) {
    sums[threadIdx.x % 32] = threadIdx.x;
}

namespace own {
void adjust(char n);
}

void fold_rows(int *sums) {
    int n = 32;
    // The header that is not there has `adjust(int &)`.
    adjust(n);
    wrap<<<1, n>>>(sums);
}
