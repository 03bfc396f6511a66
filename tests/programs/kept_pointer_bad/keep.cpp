#include "ops.h"

static int *kept;

void keep(int *n) {
    kept = n;
}

void change() {
    *kept = 64;
}
