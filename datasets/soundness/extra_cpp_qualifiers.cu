//--blockDim=64 --gridDim=1
// Extra: which function takes a pointer as it is; what a bit field is in arithmetic

template <class T> __device__ int taken(T) { return 2; }
template <class T> __device__ int taken(const T *) { return 1; }

template <class T> __device__ int plain(T *) { return 2; }
__device__ int plain(const int *) { return 1; }

using Fixed = const int;
template <class T> __device__ int named(T *) { return 1; }
__device__ int named(Fixed *) { return 2; }

struct Bits {
    unsigned few : 3;
    unsigned all : 32;
};
struct Long {
    unsigned long some : 20;
    unsigned long many : 40;
};
__device__ int sign(int) { return 2; }
__device__ int sign(unsigned) { return 1; }

// [qualifier] An `int *` as it is: no `const` is added.
//~ race
__global__ void identity_bad(int *g)
{
    int i = 0;
    const int j = 0;
    g[threadIdx.x / taken(&i)] = threadIdx.x; //~ here
}

// A `const int *` is more special.
//~ race-free
__global__ void identity_ok(int *g)
{
    int i = 0;
    const int j = 0;
    g[threadIdx.x / taken(&j)] = threadIdx.x;
}

// [qualifier] A template takes it as it is.
//~ race
__global__ void identity_plain_bad(int *g)
{
    int i = 0;
    const int j = 0;
    g[threadIdx.x / plain(&i)] = threadIdx.x; //~ here
}

// It is what the other function takes.
//~ race-free
__global__ void identity_plain_ok(int *g)
{
    int i = 0;
    const int j = 0;
    g[threadIdx.x / plain(&j)] = threadIdx.x;
}

// [qualifier] Another name of `const int` is constant.
//~ race
__global__ void other_name_bad(int *g)
{
    int i = 0;
    const int j = 0;
    g[threadIdx.x / named(&j)] = threadIdx.x; //~ here
}

// The template takes it as it is.
//~ race-free
__global__ void other_name_ok(int *g)
{
    int i = 0;
    const int j = 0;
    g[threadIdx.x / named(&i)] = threadIdx.x;
}

// [bit-field] A bit field of three bits is an `int` where it is added.
//~ race
__global__ void bits_unary_bad(int *g)
{
    Bits b{1, 2};
    g[threadIdx.x / sign(+b.few)] = threadIdx.x; //~ here
}

// It is `unsigned` as it is declared.
//~ race-free
__global__ void bits_unary_ok(int *g)
{
    Bits b{1, 2};
    g[threadIdx.x / sign(b.few)] = threadIdx.x;
}

// [bit-field] The same of a shift.
//~ race
__global__ void bits_shift_bad(int *g)
{
    Bits b{1, 2};
    g[threadIdx.x / sign(b.few << 1)] = threadIdx.x; //~ here
}

// All 32 bits make it `unsigned`.
//~ race-free
__global__ void bits_shift_ok(int *g)
{
    Bits b{1, 2};
    g[threadIdx.x / sign(b.all << 1)] = threadIdx.x;
}

// [bit-field] The difference is negative.
//~ race
__global__ void bits_less_bad(int *g)
{
    Bits b{1, 2};
    g[threadIdx.x / (b.few - 2 < 0 ? 2 : 1)] = threadIdx.x; //~ here
}

// It wraps.
//~ race-free
__global__ void bits_less_ok(int *g)
{
    Bits b{1, 2};
    g[threadIdx.x / (b.all - 3 < 0 ? 2 : 1)] = threadIdx.x;
}

// [bit-field] `auto` is the type of the difference.
//~ race
__global__ void bits_deduced_bad(int *g)
{
    Bits b{1, 2};
    auto d = b.few - 2;
    g[threadIdx.x / (d < 0 ? 2 : 1)] = threadIdx.x; //~ here
}

// `decltype` of the member is its declared type.
//~ race-free
__global__ void bits_deduced_ok(int *g)
{
    Bits b{1, 2};
    decltype(b.few) d = b.few - 2;
    g[threadIdx.x / (d < 0 ? 2 : 1)] = threadIdx.x;
}

// [bit-field] Twenty bits of a `long` are an `int`, too.
//~ race
__global__ void bits_long_bad(int *g)
{
    Long b{1, 2};
    g[threadIdx.x / (sizeof(b.some + 0) == 4 ? 2 : 1)] = threadIdx.x; //~ here
}

// Forty are not.
//~ race-free
__global__ void bits_long_ok(int *g)
{
    Long b{1, 2};
    g[threadIdx.x / (sizeof(b.many + 0) == 4 ? 2 : 1)] = threadIdx.x;
}
