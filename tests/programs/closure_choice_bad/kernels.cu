#include "each.h"
#include "ops.h"

void move(int *a, int *b, int n) {
    const int *from = n > 64 ? b : a;
    each<<<1, 64>>>([=] __device__(int i) { a[i] = from[i ^ 1]; });
}
