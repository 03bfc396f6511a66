#include "settings.h"
#include "ops.h"

//~ race
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

void fold_rows(int *sums) {
    set_width(1);
    prepare();
    fold<<<1, 64>>>(sums, 3 - width);
}
