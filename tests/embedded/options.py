# What the options of the compiler define, where they are given through names; of those that are not known it is open what they define.
import os

import cupy
from torch.utils.cpp_extension import load_inline

FLAGS = ["-O3", "--use_fast_math"]
RACY = FLAGS + ["-DSHIFT=1"]
RACY.append("-lineinfo")

shifted = load_inline("shifted", "", r'''
#ifndef SHIFT
#define SHIFT 0
#endif
__global__ void shifted(int *x) { // racy
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i >> SHIFT] = i;
}
''', extra_cuda_cflags=RACY)

plain = load_inline("plain", "", r'''
#ifndef SHIFT
#define SHIFT 0
#endif
__global__ void plain(int *x) { // race_free
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i >> SHIFT] = i;
}
''', extra_cuda_cflags=FLAGS)

# The options may define `BROKEN` and `WIDTH`; what the text would define itself is no more than a number then, which may be 0.
asked = cupy.RawModule(code=r'''
#ifndef ASKED_H
#define ASKED_H
#ifndef WIDTH
#define WIDTH 1
#endif
__global__ void by_ifdef(int *x) { // unknown
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    x[i / 2] = i;
#else
    x[i] = i;
#endif
}
__global__ void by_width(int *x) { // racy
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i * WIDTH] = i;
}
__global__ void beside(int *x) { // race_free
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
}
#endif
''', options=tuple(os.environ["OPTIONS"].split()))
