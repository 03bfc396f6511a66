#include "ops.h"
#include "options.h"

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    int width = 1;
    // The header that is not there has `void widen(int &)`.
    widen(width);
    fold_rows(sums, width);
}
