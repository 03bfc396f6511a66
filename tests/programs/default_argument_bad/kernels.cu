void fold_rows(int *sums, int width = 2);

//~ race
__global__ void fold(int *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

void fold_rows(int *sums, int width) {
    fold<<<1, 64>>>(sums, width);
}

void fold_all(int *sums) {
    fold_rows(sums);
}
