#include "ops.h"

void widen(int width) {
    int *sums = nullptr;
    if (width > 64)
        fold_rows(sums, 1);
}
