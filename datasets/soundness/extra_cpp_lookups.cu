//--blockDim=64 --gridDim=1
// Extra: which function, type or operator a name means

enum class Flags { a = 1, b = 2, c = 4 };
__device__ Flags operator|(Flags x, Flags y) { return (Flags)((int)x * 2 + (int)y); }
struct Counter {
    int n;
    __device__ Counter operator++() { n += 5; return *this; }
    __device__ Counter operator++(int) { Counter old = *this; n += 50; return old; }
};
struct Table {
    int d[3];
    __device__ int &operator[](int i) { return d[i]; }
    __device__ int operator[](int i) const { return d[i] + 100; }
};
struct Same {
    int d[3];
    __device__ int &operator[](int i) { return d[i]; }
    __device__ const int &operator[](int i) const { return d[i]; }
};
__device__ int kind(int &) { return 1; }
__device__ int kind(const int &) { return 3; }
__device__ int early(int) { return 1; }
__device__ int before() { return early(1u); }
__device__ int early(unsigned) { return 2; }
namespace geometry {
struct Point { int x; };
__device__ int size(const Point &p) { return p.x + 5; }
}
template <class T> __device__ int size(T) { return 1; }
typedef int Number;
struct Root { __device__ virtual int at(int t) { return t; } };
struct Leaf : Root { __device__ int at(int t) { return t / 2; } };

// [operator] Flags have an operator of their own: 4, not 3.
//~ race
__global__ void lookup_flags_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && (int)(Flags::a | Flags::b) == 4) g[0] = 2; //~ here
}

// [operator] The one for `x++`.
//~ race
__global__ void lookup_postfix_bad(int *g)
{
    int t = threadIdx.x;
    Counter c = {1};
    c++;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && c.n == 51) g[0] = 2; //~ here
}

// [operator] The one of a constant object does something else.
//~ race
__global__ void lookup_constant_bad(int *g)
{
    int t = threadIdx.x;
    Table x = {{1, 2, 3}};
    const Table &z = x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && z[1] == 102) g[0] = 2; //~ here
}

// Both do the same.
//~ race-free
__global__ void lookup_same_ok(int *g)
{
    int t = threadIdx.x;
    Same x = {{1, 2, 3}};
    g[t] = x[1];
}

// [overload] Constant or not.
//~ race
__global__ void lookup_kind_bad(int *g)
{
    int t = threadIdx.x;
    const int y = 1;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && kind(y) == 3) g[0] = 2; //~ here
}

// [overload] In `before` there was only one.
//~ race
__global__ void lookup_early_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && before() == 1 && early(1u) == 2) g[0] = 2; //~ here
}

// [namespace] The function of the argument's namespace is the better one.
//~ race
__global__ void lookup_argument_bad(int *g)
{
    int t = threadIdx.x;
    geometry::Point p = {2};
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && size(p) == 7) g[0] = 2; //~ here
}

// [scope] The inner type ends with its block.
//~ race
__global__ void lookup_inner_bad(int *g)
{
    int t = threadIdx.x;
    {
        typedef unsigned char Number;
        Number small = 1;
        g[64 + t] = small;
    }
    Number x = 300;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && x == 300) g[0] = 2; //~ here
}

// [copy] The copy of a closure counts for itself.
//~ fn_race
__global__ void lookup_closure_bad(int *g)
{
    int t = threadIdx.x;
    int x = 3;
    auto f = [x]() mutable { return ++x; };
    auto h = f;
    f();
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && h() == 4) g[0] = 2; //~ here
}

// [virtual] The object may be of another class.
//~ race
__global__ void lookup_virtual_bad(Root *r, int *g)
{
    g[r->at(threadIdx.x)] = threadIdx.x; //~ here
}
