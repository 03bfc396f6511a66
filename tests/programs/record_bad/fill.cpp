#include "ops.h"

void fill(Rows *rows, int *a, int *b) {
    rows->from = rows->to;
}
