# Kernels that are compiled from strings by CuPy and PyCUDA, put together in the usual ways.
import cupy as cp
from pycuda.compiler import SourceModule
from string import Template

TILE = 1 << 6
WIDTH, STEP = 2 * TILE, 2

HEAD = "#define TILE %d\n" % TILE

turn = cp.RawKernel(HEAD + r'''
extern "C" __global__ void turn(float* x, int n) { // race_free
    __shared__ float tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    if (threadIdx.x < TILE) tile[threadIdx.x] = i < n ? x[i] : 0.f;
    __syncthreads();
    if (threadIdx.x < TILE && i < n) x[i] = tile[TILE - 1 - threadIdx.x];
}
''', 'turn')

lines = 'extern "C" __global__ void every_other(int* x) { // racy\n'
lines += '    // a comment ends with its line\n'
lines += f'    x[threadIdx.x / {STEP}] = threadIdx.x;\n'
lines += '}\n'
every_other = cp.RawKernel(lines, 'every_other')

added = cp.RawModule(code=Template('''
extern "C" __global__ void added(${type}* x, int n) { // race_free
    unsigned i = blockIdx.x * ${width}u + threadIdx.x;
    if (threadIdx.x < ${width} && i < n) x[i] += 1;
}
''').substitute(type='float', width=WIDTH), options=('-DUNUSED=1',))

# The size of the shared array is that of the option: without the barrier two warps meet.
module = SourceModule("""
__global__ void shifted(float *x) { // racy
    __shared__ float s[LANES];
    s[threadIdx.x % LANES] = x[threadIdx.x];
    x[threadIdx.x] = s[(threadIdx.x + 1) % LANES];
}
""", options=['-DLANES=128'])

# Text that is used by two modules is two units; the kernel is told once.
SHARED = r"""
__global__ void copied(const float *in, float *out, int n) { // race_free
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = FACTOR * in[i];
}
"""
one = cp.RawModule(code="#define FACTOR 1\n" + SHARED)
two = cp.RawModule(code="#define FACTOR 2\n" + SHARED)
