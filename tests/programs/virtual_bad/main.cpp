#include "source.h"

struct Shared : Source {
    int *other;
    int *get() override { return other; }
};

int main() {
    int *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    Shared source;
    source.own = b;
    source.other = a;
    run(a, source);
}
