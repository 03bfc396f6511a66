#include "ops.h"

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    spread(sums, 1);
    spread(sums, 0);
}
