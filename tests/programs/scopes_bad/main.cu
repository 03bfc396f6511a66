#include "first.h"
#include "second.h"

int main() {
    float *out;
    cudaMalloc(&out, 4096);
    before::sweep(out, 65);
    after::sweep(out, 32);
}
