#include "settings.h"
#include "ops.h"

//~ fp_race-free
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

void fold_rows(int *sums) {
    set_width(2);
    prepare();
    fold<<<1, 64>>>(sums, 3 - width);
}
