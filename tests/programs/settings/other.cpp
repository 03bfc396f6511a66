#include "settings.h"
#include "ops.h"

void prepare() {
    set_width(1);
}
