//--blockDim=64 --gridDim=1
// Extra: a name means what is declared before it, also where an inner scope declares it later

__device__ int late(int) { return 0; }
__device__ int early(int) { return 0; }
__device__ int told(int) { return 0; }
__device__ int single(long) { return 0; }
struct Small { int a; };
template <class T> struct Plain { static constexpr int step = 0; };
__device__ int kept[64];
constexpr int zero = 0;
enum { none = 0 };
enum { outer = 1 };

namespace inner {
__device__ int seen_outer() { return outer; }
const int outer = 0;
__device__ int hidden_outer() { return outer; }
__device__ int told(int);
__device__ int early(int) { return 1; }
__device__ int calls_late() { return late(1); }
__device__ int calls_early() { return early(1); }
__device__ int calls_told() { return told(1); }
template <class T> __device__ int calls_generic(T t) { return late(t); }
__device__ int late(int) { return 1; }
__device__ int told(int) { return 1; }

typedef Small Alias;
__device__ int size() { return sizeof(Small) / 4 - 1; }
struct Small { double a; };
typedef Small Later;

template <template <class> class F = Plain> struct Holder { static constexpr int step = F<int>::step; };
template <class T> struct Plain { static constexpr int step = 1; };
template <template <class> class F = Plain> struct Behind { static constexpr int step = F<int>::step; };

__device__ int *place(int i) { return &kept[i]; }
__device__ int kept[64];
__device__ int *place_behind(int i) { return &kept[i]; }

__device__ int number() { return none; }
enum { none = 1 };
__device__ int constant() { return zero; }
enum { zero = 1 };
__device__ int number_behind() { return none; }

struct Members {
    __device__ int get() { return late(1) + step; }
    __device__ int late(int) { return 0; }
    static constexpr int step = 1;
};
}

__device__ int takes_long() { return single(1); }
__device__ int single(int) { return 1; }
__device__ int takes_int() { return single(1); }

struct Value { int v; };
__device__ int operator+(Value, long) { return 0; }
__device__ int adds_long() { return Value{1} + 1; }
__device__ int operator+(Value, int) { return 1; }
__device__ int adds_int() { return Value{1} + 1; }

// [later] The call stands before the inner function.
//~ race
__global__ void later_function_bad(int *g)
{
    g[threadIdx.x * inner::calls_late()] = threadIdx.x; //~ here
}

// [later] The step is one.
//~ race-free
__global__ void later_function_ok(int *g)
{
    g[threadIdx.x * inner::calls_early()] = threadIdx.x;
}

// [later] The inner function has a prototype. The step is one.
//~ race-free
__global__ void later_prototype_ok(int *g)
{
    g[threadIdx.x * inner::calls_told()] = threadIdx.x;
}

// [later] Numbers bring in no function that stands behind the template.
//~ race
__global__ void later_generic_bad(int *g)
{
    g[threadIdx.x * inner::calls_generic(1)] = threadIdx.x; //~ here
}

// [later] The alias is of the outer class.
//~ race
__global__ void later_type_bad(int *g)
{
    g[threadIdx.x * (sizeof(inner::Alias) / 4 - 1)] = threadIdx.x; //~ here
}

// [later] The step is one.
//~ race-free
__global__ void later_type_ok(int *g)
{
    g[threadIdx.x * (sizeof(inner::Later) / 4 - 1)] = threadIdx.x;
}

// [later] The size is that of the outer class.
//~ race
__global__ void later_size_bad(int *g)
{
    g[threadIdx.x * inner::size()] = threadIdx.x; //~ here
}

// [later] The default argument is the outer template.
//~ race
__global__ void later_default_bad(int *g)
{
    g[threadIdx.x * inner::Holder<>::step] = threadIdx.x; //~ here
}

// [later] The step is one.
//~ race-free
__global__ void later_default_ok(int *g)
{
    g[threadIdx.x * inner::Behind<>::step] = threadIdx.x;
}

// [later] The enumerator is the outer one.
//~ race
__global__ void later_enumerator_bad(int *g)
{
    g[threadIdx.x * inner::number()] = threadIdx.x; //~ here
}

// [later] The step is one.
//~ race-free
__global__ void later_enumerator_ok(int *g)
{
    g[threadIdx.x * inner::number_behind()] = threadIdx.x;
}

// [later] The constant stands before the enumerator.
//~ race
__global__ void later_constant_bad(int *g)
{
    g[threadIdx.x * inner::constant()] = threadIdx.x; //~ here
}

// [later] Members see all of their class. The step is one.
//~ race-free
__global__ void later_members_ok(int *g)
{
    g[threadIdx.x * inner::Members().get()] = threadIdx.x;
}

// [later] The better overload stands behind the call.
//~ race
__global__ void later_overload_bad(int *g)
{
    g[threadIdx.x * takes_long()] = threadIdx.x; //~ here
}

// [later] The step is one.
//~ race-free
__global__ void later_overload_ok(int *g)
{
    g[threadIdx.x * takes_int()] = threadIdx.x;
}

// [later] The better operator stands behind its use.
//~ race
__global__ void later_operator_bad(int *g)
{
    g[threadIdx.x * adds_long()] = threadIdx.x; //~ here
}

// [later] The step is one.
//~ race-free
__global__ void later_operator_ok(int *g)
{
    g[threadIdx.x * adds_int()] = threadIdx.x;
}

// [later] The function gives a place of the outer array.
//~ race
__global__ void later_variable_bad()
{
    if (threadIdx.x == 1)
        *inner::place(0) = 3; //~ here
    if (threadIdx.x == 0)
        kept[0] = 4; //~ here
}

// [later] Behind its declaration, the inner array is meant.
//~ race-free
__global__ void later_variable_ok()
{
    if (threadIdx.x == 1)
        *inner::place_behind(0) = 3;
    if (threadIdx.x == 0)
        kept[0] = 4;
}

// [later] The constant of the namespace hides the enumerator outside.
//~ race
__global__ void later_hidden_bad(int *g)
{
    g[threadIdx.x * inner::hidden_outer()] = threadIdx.x; //~ here
}

// [later] Before that constant, the enumerator is meant.
//~ race-free
__global__ void later_hidden_ok(int *g)
{
    g[threadIdx.x * inner::seen_outer()] = threadIdx.x;
}
