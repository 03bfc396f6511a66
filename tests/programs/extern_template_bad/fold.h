#pragma once

//~ race
template <class T> __global__ void fold(T *sums, int width) {
    sums[threadIdx.x / width] = threadIdx.x;
}

template <class T> void fold_rows(T *sums, int width) {
    fold<<<1, 64>>>(sums, width);
}

extern template void fold_rows<int>(int *, int);
