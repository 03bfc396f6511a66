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


# Which branch a compiler takes is not known: a kernel that has a part of it is open, another one is not.
def chosen(flag):
    return cp.RawModule(code=f"""
__global__ void chosen(int *x) {{ // unknown
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if {flag}
    x[0] = i;
#else
    x[i] = i;
#endif
}}
__global__ void beside(int *x) {{ // race_free
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}}
""")


def chosen_by_a_macro(width):
    return cp.RawModule(code="""
#define WIDTH %(width)d
#if WIDTH == 1
#define AT(i) 0
#else
#define AT(i) (i)
#endif
__global__ void by_macro(int *x) { // unknown
    x[AT(blockIdx.x * blockDim.x + threadIdx.x)] = threadIdx.x;
}
""" % {"width": width})


def chosen_by_a_name(kind, racy):
    return [cp.RawModule(code=f"""
#define USE_{kind}
__global__ void by_name(int *x) {{ // unknown
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef USE_SHIFT
    x[i / 2] = i;
#else
    x[i] = i;
#endif
}}
"""), cp.RawModule(code=f"""
__global__ void by_definition(int *x) {{ // unknown
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef {racy}
    x[i / 2] = i;
#elif defined(ALSO_{racy})
    x[0] = i;
#else
    x[i] = i;
#endif
}}
""")]


# A string that is filled is one unit, wherever its first field stands; as it is written it would be no CUDA.
def template(columns):
    text = Template("""
#define COLUMNS ${columns}
__global__ void in_columns(int *x, int n) { // race_free
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i % COLUMNS;
}
""")
    return SourceModule(text.substitute(columns=columns))
