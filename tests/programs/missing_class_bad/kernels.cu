#include "holder.h"

//~ race
__global__ void wrap(int *sums) {
    sums[threadIdx.x % 32] = threadIdx.x;
}

void fold_rows(int *sums) {
    int n = 32;
    // The header that is not there has a class that keeps a reference.
    Holder holder{n};
    holder.set(64);
    wrap<<<1, n>>>(sums);
}
