// Strides of butterflies that host code computes: halved from a size that it doubles, or not.
#include <cuda_runtime.h>

//~ race-free
__global__ void host_merge_ok(unsigned *v, unsigned size, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pos = 2 * t - (t & (stride - 1));
    unsigned low = min(v[pos], v[pos + stride]);
    v[pos] = low + size;
    v[pos + stride] = t;
}

//~ race
__global__ void host_merge_thirds_bad(unsigned *v, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pos = 2 * t - (t & (stride - 1));
    v[pos] = t; //~ here
    v[pos + stride] = t; //~ here
}

//~ race-free
__global__ void host_odd_even_ok(unsigned *v, unsigned size, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pos = 2 * t - (t & (stride - 1));
    unsigned offset = t & (size / 2 - 1);
    if (offset >= stride) {
        unsigned low = v[pos - stride];
        v[pos - stride] = min(low, v[pos]);
        v[pos] = t;
    }
}

//~ race
__global__ void host_merge_later_bad(unsigned *v, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pos = 2 * t - (t & (stride - 1));
    v[pos] = t; //~ here
    v[pos + stride] = t; //~ here
}

void sort(unsigned *v, unsigned n) {
    for (unsigned size = 2; size <= n; size <<= 1)
        for (unsigned stride = size / 2; stride > 0; stride >>= 1)
            host_merge_ok<<<n / 512, 256>>>(v, size, stride);
    for (unsigned stride = n / 2; stride > 0; stride /= 3)
        host_merge_thirds_bad<<<n / 512, 256>>>(v, stride);
    for (unsigned size = 4; size <= n; size <<= 1)
        for (unsigned stride = size / 4; stride > 0; stride >>= 1)
            host_odd_even_ok<<<n / 512, 256>>>(v, size, stride);
    // A size that is a power of two, but for a change on the way.
    for (unsigned size = 2; size <= n; size <<= 1) {
        unsigned stride = size + 1;
        for (stride = stride / 2 + 1; stride > 1; stride >>= 1)
            host_merge_later_bad<<<n / 512, 256>>>(v, stride);
    }
}

int main() {
    unsigned *v;
    unsigned n = 1 << 20;
    cudaMalloc(&v, 2 * n * sizeof(unsigned));
    sort(v, n);
    return 0;
}
