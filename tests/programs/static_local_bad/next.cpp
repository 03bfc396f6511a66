#include "ops.h"

int next() {
    static int width = 0;
    return ++width;
}
