#include "width.h"
#include "ops.h"

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    fold_rows(sums + width_of_rows());
}
