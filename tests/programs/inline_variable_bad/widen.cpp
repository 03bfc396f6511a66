#include "width.h"

void widen() {
    width = 2;
}
