//--blockDim=64 --gridDim=1
// Extra: values that a C++ compiler computes and that were read otherwise

namespace colours {
enum Colour { red, green = 4 };
__device__ int weight(Colour) { return 7; }
}
__device__ int weight(int) { return 2; }
enum Small : unsigned char { tiny };
__device__ int width(int) { return 4; }
__device__ int width(unsigned char) { return 1; }
struct Measure {
    int v;
    __device__ Measure(double) : v(1) {}
    __device__ explicit Measure(int) : v(2) {}
};
struct Row {
    int a[3];
    int n;
};
__device__ int truth(void *) { return 1; }
__device__ int truth(bool) { return 2; }
template <class T> __device__ int order(T) { return 1; }
template <> __device__ int order(int *) { return 3; }
template <class T> __device__ int order(T *) { return 2; }
struct Typed { using type = int; };
struct Plain {};
template <class T, class = typename T::type> __device__ int typed(int) { return 1; }
template <class T> __device__ int typed(long) { return 2; }
namespace inner {
namespace near { __device__ int near_by(int) { return 1; } }
__device__ int near_by(long) { return 2; }
using namespace near;
__device__ int call() { return near_by(1); }
}
namespace bases {
struct Base {};
__device__ int tell(Base) { return 1; }
}
struct Derived : bases::Base {};
__device__ int tell(...) { return 2; }
__device__ int several(int, int) { return 1; }
template <class... T> __device__ int several(T...) { return 2; }
__device__ int dependent() { return 1; }
template <class T> struct Below { __device__ int dependent() { return 2; } };
template <class T> struct Above : Below<T> { __device__ int call() { return dependent(); } };
template <class T> struct Longs { static constexpr int v = 1; };
template <> struct Longs<long> { static constexpr int v = 2; };
template <> struct Longs<long long> { static constexpr int v = 3; };
template <class T> struct Box {};
template <class T> struct Boxed { static constexpr int v = 1; };
template <template <class> class X, class T> struct Boxed<X<T>> { static constexpr int v = 2; };
template <class T> __device__ int bytes(const T &t) { return sizeof(t); }
struct Virtual { __device__ virtual void f() {} char c; };
struct Derives : Virtual { Virtual m; };

// [enum] The function of the enumeration's namespace: 7, not 2.
//~ race
__global__ void value_enum_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && weight(colours::green) == 7) g[0] = 2; //~ here
}

// [enum] Its underlying type is the better match: 1, not 4.
//~ race
__global__ void value_underlying_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && width(tiny) == 1) g[0] = 2; //~ here
}

//~ race-free
__global__ void value_underlying_ok(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1;
    if (t == 1 && width(tiny) == 4) g[0] = 2;
}

// [constructor] An explicit constructor is none for `= 3`: the number becomes a double.
//~ race
__global__ void value_explicit_bad(int *g)
{
    int t = threadIdx.x;
    Measure m = 3;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && m.v == 1) g[0] = 2; //~ here
}

// [constructor] Here it is.
//~ race
__global__ void value_direct_bad(int *g)
{
    int t = threadIdx.x;
    Measure m(3);
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && m.v == 2) g[0] = 2; //~ here
}

// [initialiser] Braces left out: the fourth number is `n`.
//~ race
__global__ void value_braces_bad(int *g)
{
    int t = threadIdx.x;
    Row r{4, 5, 6, 7};
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && r.n == 7) g[0] = 2; //~ here
}

// [overload] A pointer becomes `void *` rather than a truth value.
//~ race
__global__ void value_truth_bad(int *g)
{
    int t = threadIdx.x;
    int x = 0;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && truth(&x) == 1) g[0] = 2; //~ here
}

// [template] The specialisation is of the template before it; the one behind it is the better match.
//~ race
__global__ void value_order_bad(int *g)
{
    int t = threadIdx.x;
    int x = 0;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && order(&x) == 2) g[0] = 2; //~ here
}

// [template] `Plain` has no `type`: the second template.
//~ race
__global__ void value_default_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && typed<Plain>(0) == 2) g[0] = 2; //~ here
}

// [namespace] The functions of a namespace that is used stand beside those around it.
//~ race
__global__ void value_using_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && inner::call() == 1) g[0] = 2; //~ here
}

// [namespace] That of a base class is looked into, too.
//~ race
__global__ void value_base_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && tell(Derived()) == 1) g[0] = 2; //~ here
}

// [template] A pack takes each argument as it is.
//~ race
__global__ void value_pack_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && several(1, 2L) == 2) g[0] = 2; //~ here
}

// [template] A base that depends on `T` is not looked into.
//~ race
__global__ void value_dependent_bad(int *g)
{
    int t = threadIdx.x;
    Above<int> a;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && a.call() == 1) g[0] = 2; //~ here
}

// [template] `long` and `long long` are two types.
//~ race
__global__ void value_longs_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && Longs<long long>::v == 3) g[0] = 2; //~ here
}

// [template] Any template of one parameter.
//~ race
__global__ void value_boxed_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && Boxed<Box<int>>::v == 2) g[0] = 2; //~ here
}

// [template] A literal is an array of characters.
//~ race
__global__ void value_literal_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && bytes("abc") == 4) g[0] = 2; //~ here
}

// [layout] The alignment of a class whose layout is not known.
//~ race
__global__ void value_alignment_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && alignof(Derives) == 8) g[0] = 2; //~ here
}

// [switch] Values that a loop leaves behind a `switch` with `default`.
//~ race
__global__ void value_switch_bad(int *g)
{
    int t = threadIdx.x;
    unsigned long v = 7;
    for (int i = 1; i < 3; i++) {
        switch (i) {
        case 5: v = 3;
        default: v = 2;
        }
    }
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && v == 2) g[0] = 2; //~ here
}

//~ race-free
__global__ void value_switch_ok(int *g)
{
    int t = threadIdx.x;
    unsigned long v = 7;
    for (int i = 1; i < 3; i++) {
        switch (i) {
        case 5: v = 3;
        default: v = 2;
        }
    }
    if (t == 0) g[0] = 1;
    if (t == 1 && v == 3) g[0] = 2;
}
