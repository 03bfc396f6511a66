//--blockDim=64 --gridDim=1
// Construct: typedef, using, alias templates, auto, decltype

typedef unsigned char byte;
using Number = int;
typedef struct { int x; int y; } Pixel;
template <class T> using Pointer = T *;
template <int N> struct Fixed { int d[N]; };
template <int N> using Quads = Fixed<4 * N>;
using Function = int (*)(int);

template <class T> struct Element { using type = T; };
template <> struct Element<float> { using type = char; };

__device__ auto doubled(int v) { return 2 * v; }
__device__ auto halved(int v) -> int { return v / 2; }

// Names of types.
//~ race-free
__global__ void typedef_ok(int *g)
{
    Number t = threadIdx.x;
    Pixel p = {t, 0};
    Pointer<int> q = g;
    q[p.x + p.y] = t;
}

// [wrap] A byte holds 256 values: 4*t wraps.
//~ race
__global__ void typedef_bad(int *g)
{
    byte t = threadIdx.x * 8;
    g[t] = threadIdx.x; //~ here
}

// An alias template: four elements each.
//~ race-free
__global__ void alias_template_ok(Quads<1> *g)
{
    int t = threadIdx.x;
    for (int j = 0; j < 4; j++) g[t].d[j] = t;
}

// [extent] Sixteen bytes each, and twenty written.
//~ race
__global__ void alias_template_bad(char *g)
{
    int t = threadIdx.x;
    Quads<1> *q = (Quads<1> *)g;
    q[t].d[0] = t; //~ here
    if (t < 63) *(int *)(g + sizeof(Quads<1>) * t + 16) = t; //~ here
}

// The type of a member of a class template.
//~ race-free
__global__ void member_type_ok(char *g)
{
    int t = threadIdx.x;
    typedef Element<int>::type Item;
    Item *p = (Item *)g;
    p[t] = t;
}

// [width] The specialisation has another type: one byte each.
//~ race
__global__ void member_type_bad(char *g)
{
    int t = threadIdx.x;
    using Item = Element<float>::type;
    Item *p = (Item *)g;
    p[t] = 1; //~ here
    *(short *)(g + 2 * (t / 2)) = t; //~ here
}

// auto, auto& and auto*.
//~ race-free
__global__ void auto_ok()
{
    __shared__ int s[128];
    auto t = (int)threadIdx.x;
    auto &r = s[doubled(t)];
    auto *p = &s[2 * t + 1];
    r = t;
    *p = t;
}

// [alias] auto is a copy, auto& is not.
//~ race
__global__ void auto_bad(int *g)
{
    int t = threadIdx.x;
    int i = t, j = t;
    auto a = i;
    auto &b = j;
    a = 0;
    b = 0;
    g[i + 64] = a;
    g[j] = t; //~ here
}

// The type of an expression.
//~ race-free
__global__ void decltype_ok(int *g)
{
    int t = threadIdx.x;
    decltype(t) i = t;
    decltype(&g[0]) p = g + i;
    *p = t;
}

// [wrap] decltype of a byte wraps as a byte.
//~ race
__global__ void decltype_bad(int *g)
{
    byte small = 1;
    decltype(small) i = threadIdx.x * 4;
    g[i * small] = threadIdx.x;
    i = threadIdx.x * 8;
    g[1000 + i] = threadIdx.x; //~ here
}

// auto keeps the unsigned type: t - 1 is never negative.
//~ race-free
__global__ void auto_unsigned_ok(int *g)
{
    auto u = threadIdx.x;
    if (u - 1 < 64u) g[u] = u;
}

// [wrap] For thread 0 the difference is a large number, so that it writes element 0 as thread 1 does.
//~ race
__global__ void auto_unsigned_bad(int *g)
{
    auto u = threadIdx.x;
    if (u - 1 > 0) g[u ? halved(u) : 0] = u; //~ here
}
