#include "each.h"

void apart(int *a);

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    apart(sums);
    spread<0>(sums);
}
