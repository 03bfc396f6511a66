#include <cuda_runtime.h>

int stride = 1;
void configure();

//~ race-free
__global__ void scatter(int *p, int step) {
    p[threadIdx.x * step] = threadIdx.x;
}

int main() {
    int *p;
    cudaMalloc(&p, 4096);
    configure();
    scatter<<<1, 32>>>(p, stride);
}
