#include "ops.h"

int main() {
    float *a = fetch(1000);
    float *b = fetch(1000);
    move_left(a, b, 1000);
}
