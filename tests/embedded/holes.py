# Texts of which not all is known: a hole is a number or a type; one in the place of statements is code that nobody knows.
import cupy as cp
from settings import COLUMNS, PRELUDE


def guarded(kind, size):
    return cp.RawKernel(f'''
extern "C" __global__ void guarded({kind}* x, int n) {{ // race_free
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && threadIdx.x < {size}) x[i] = {size};
}}
''', 'guarded')


def filled(body):
    return cp.RawKernel('''
extern "C" __global__ void filled(float* x, int n) { // unknown
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    %s
    if (i < n) x[i] = 1;
}
''' % body, 'filled')


# A hole is equal in all threads: each of them writes a value of its own to one place.
one_place = cp.RawKernel("""
extern "C" __global__ void one_place(int* x) { // racy
    x[{place}] = threadIdx.x;
}
""".replace("{place}", str(COLUMNS)), 'one_place')

behind = PRELUDE + r'''
__global__ void behind(int* x) { // race_free
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
'''

# The string as it stands is what is read where a function of another file makes more of it.
wrapped = cp.wrap(r'''
__global__ void wrapped(int* x) { // racy
    x[threadIdx.x / 2] = threadIdx.x;
}
''')
