#include <cuda_runtime.h>
#include "solver.h"

int main() {
    int *sums;
    cudaMalloc(&sums, 128 * sizeof(int));
    Solver solver;
    solver.init(sums, 3);
    solver.step();
}
