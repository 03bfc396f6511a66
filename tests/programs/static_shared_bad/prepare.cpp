#include "next.h"

void prepare() {
    next();
}
