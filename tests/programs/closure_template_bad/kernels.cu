#include "each.h"

void apart(int *a) {
    spread<1>(a);
}
