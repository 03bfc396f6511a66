#include "ops.h"

int main() {
    int *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    move(a, a);
}
