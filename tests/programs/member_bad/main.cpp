#include "rows.h"

int main() {
    Rows rows;
    rows.run();
}
