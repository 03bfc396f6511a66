__device__ int place(int i) {
    return i / 2;
}

//~ race
__global__ void write_first(int *p) {
    p[place(threadIdx.x)] = threadIdx.x;
}

void run_first(int *p) {
    write_first<<<1, 64>>>(p);
}
