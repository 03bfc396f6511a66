//--blockDim=64 --gridDim=1
// Extra: which conversion of a class

template <class T> struct SharedOf {
    __device__ operator T *() { extern __shared__ int raw[]; return (T *)raw; }
    __device__ operator const T *() const { extern __shared__ int raw[]; return (T *)raw; }
};
struct Two {
    int *p, *q;
    __device__ Two(int *a, int *b) : p(a), q(b) {}
    __device__ operator int *() { return p; }
    __device__ operator int *() const { return q; }
};
struct OnlyConst {
    int *p, *q;
    __device__ OnlyConst(int *a, int *b) : p(a), q(b) {}
    __device__ operator const int *() { return p; }
    __device__ operator int *() const { return q; }
};
struct Numbers {
    int a, b;
    __device__ operator int() const { return a; }
    __device__ operator float() const { return b; }
};
struct ByObject {
    int a, b;
    __device__ operator float() { return a; }
    __device__ operator int() const { return b; }
};
struct Anything {
    int a;
    __device__ operator int() const { return a; }
    template <class U> __device__ operator U() { return 0; }
};

// The usual helper for dynamic shared memory.
//~ race-free
__global__ void conv_shared_ok(int *g)
{
    int *s = SharedOf<int>();
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    g[threadIdx.x] = s[63 - threadIdx.x];
}

// [conversion] The same without a barrier.
//~ race
__global__ void conv_shared_bad(int *g)
{
    int *s = SharedOf<int>();
    s[threadIdx.x] = threadIdx.x; //~ here
    g[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// [conversion] The one for objects that can be changed.
//~ race
__global__ void conv_changeable_bad(int *g, int *h)
{
    Two t(g, h);
    int *p = t;
    p[0] = threadIdx.x; //~ here
    h[threadIdx.x] = 1;
}

// Each its own.
//~ race-free
__global__ void conv_changeable_ok(int *g, int *h)
{
    Two t(h, g);
    int *p = t;
    p[threadIdx.x] = 1;
    g[threadIdx.x] = 2;
}

// [conversion] The one for constant objects.
//~ race
__global__ void conv_constant_bad(int *g, int *h)
{
    const Two t(g, h);
    int *p = t;
    p[threadIdx.x] = threadIdx.x; //~ here
    h[threadIdx.x + 1] = 1; //~ here
}

// Another array.
//~ race-free
__global__ void conv_constant_ok(int *g, int *h)
{
    const Two t(g, h);
    int *p = t;
    p[threadIdx.x] = threadIdx.x;
    g[threadIdx.x + 1] = 1;
}

// [conversion] Constant by reference.
//~ race
__global__ void conv_by_reference_bad(int *g, int *h)
{
    Two t(g, h);
    const Two &c = t;
    int *p = c;
    p[0] = threadIdx.x; //~ here
}

// [conversion] The exact one of two.
//~ race
__global__ void conv_exact_bad(int *g, int n)
{
    Numbers t = {n, (int)threadIdx.x};
    int i = t;
    g[i] = threadIdx.x; //~ here
}

// The exact one of two.
//~ race-free
__global__ void conv_exact_ok(int *g, int n)
{
    Numbers t = {(int)threadIdx.x, n};
    int i = t;
    g[i] = threadIdx.x;
}

// [conversion] What can be changed goes to the one for it, although the other's result is nearer.
//~ race
__global__ void conv_by_object_bad(int *g, int n)
{
    ByObject t = {n, (int)threadIdx.x};
    int i = t;
    g[i] = threadIdx.x; //~ here
}

// [conversion] `const int *` does not become `int *`: the one for constant objects.
//~ fn_race
__global__ void conv_to_constants_bad(int *g, int *h)
{
    OnlyConst t(g, h);
    int *p = t;
    p[threadIdx.x] = threadIdx.x;
    h[threadIdx.x + 1] = 1;
}

// [conversion] The template is for objects that can be changed.
//~ fn_race
__global__ void conv_template_bad(int *g)
{
    Anything t = {(int)threadIdx.x};
    int i = t;
    g[i] = threadIdx.x;
}
