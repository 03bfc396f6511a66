#include "source.h"

namespace {
struct Wide : Shape {
    int width() override { return 2; }
};
}

Shape *make() {
    return new Wide;
}
