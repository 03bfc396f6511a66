#include "ops.h"

void adjust(int &n) {
    n *= 2;
}
