#include "ops.h"

int width_of_rows() {
    return 2;
}

void fold_again(int *sums) {
    fold_rows(sums, width_of_rows());
}
