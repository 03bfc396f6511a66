//~ race-free
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

extern "C" void fold_rows(int *sums, int width) {
    fold<<<1, 96>>>(sums, width);
}
