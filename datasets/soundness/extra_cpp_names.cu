//--blockDim=64 --gridDim=1
// Extra: one name for two things: locals, members, globals, template parameters, macros

__device__ int n = 0;
__device__ const int one = 1;
typedef int place;

struct Hides {
    int t;
    int step;
    __device__ Hides(int t, int step) : t(t), step(step) { step = 5; t = 7; }
    __device__ int local() const { int step = 0; return t * step; }
    __device__ int member() const { return t * step; }
    __device__ int at(int t) const { return t; }
};

template <int one>
__device__ int scaled(int t) { return t * one; }

template <class place>
__device__ int sized() { return sizeof(place); }

struct Types { typedef char place; __device__ static int size() { return sizeof(place); } };

#define int_t char
#define at(i) at((i) / 2)

__device__ int zero(int t) { return t; }
namespace inside {
__device__ int zero(int t) { return 0; }
__device__ int caller(int t) { return zero(t); }
}

namespace first { __device__ int place_of(int t) { return t; } }
namespace second { __device__ int place_of(int t) { return t / 2; } }
__device__ int place_of(int t) { return t; }

// [shadow] The local hides the member: 0.
//~ race
__global__ void name_local_bad(int *g)
{
    int t = threadIdx.x;
    Hides h(t, 1);
    g[h.local()] = t; //~ here
}

// The members got the parameters' first values.
//~ race-free
__global__ void name_member_ok(int *g)
{
    int t = threadIdx.x;
    Hides h(t, 1);
    g[h.member()] = t;
}

// [macro] A macro with the name of the method halves the argument.
//~ race
__global__ void name_macro_method_bad(int *g)
{
    int t = threadIdx.x;
    Hides h(0, 0);
    g[h.at(t)] = t; //~ here
}

// [shadow] The template parameter hides the global constant.
//~ race
__global__ void name_template_bad(int *g)
{
    int t = threadIdx.x;
    g[scaled<0>(t)] = t; //~ here
}

// And is 1 here.
//~ race-free
__global__ void name_template_ok(int *g)
{
    int t = threadIdx.x;
    g[scaled<1>(t)] = t;
}

// [shadow] The type parameter hides the type: one byte each.
//~ race
__global__ void name_type_bad(char *g)
{
    int t = threadIdx.x;
    g[t * sized<char>()] = t; //~ here
    g[t * sized<char>() + 1] = t; //~ here
}

// The global name is an int.
//~ race-free
__global__ void name_type_ok(char *g)
{
    int t = threadIdx.x;
    *(int *)(g + t * sized<place>()) = t;
}

// [shadow] The class has a type of the same name.
//~ race
__global__ void name_class_type_bad(char *g)
{
    int t = threadIdx.x;
    g[t * Types::size()] = t; //~ here
    g[t * Types::size() + 1] = t; //~ here
}

// [macro] A macro that is named like a type.
//~ race
__global__ void name_macro_type_bad(char *g)
{
    int t = threadIdx.x;
    int_t *p = (int_t *)g;
    p[t] = t; //~ here
    g[4 * t] = t; //~ here
}

// [namespace] A call inside a namespace takes the one of the namespace.
//~ race
__global__ void name_namespace_bad(int *g)
{
    int t = threadIdx.x;
    g[inside::caller(t)] = t; //~ here
}

// Outside it is the global one.
//~ race-free
__global__ void name_namespace_ok(int *g)
{
    int t = threadIdx.x;
    g[zero(t)] = t;
}

// [namespace] The using declaration in the block hides the global function.
//~ race
__global__ void name_using_bad(int *g)
{
    using second::place_of;
    int t = threadIdx.x;
    g[place_of(t)] = t; //~ here
}

// The other one.
//~ race-free
__global__ void name_using_ok(int *g)
{
    using first::place_of;
    int t = threadIdx.x;
    g[place_of(t)] = t;
}

// [shadow] A parameter hides the device variable.
//~ race
__global__ void name_parameter_bad(int *g, int n)
{
    int t = threadIdx.x;
    if (n == 4) n = 0;
    g[t * n] = t; //~ here
}

// [shadow] A variable of the condition hides the thread's number in both arms.
//~ race
__global__ void name_condition_bad(int *g)
{
    int t = threadIdx.x;
    if (int t = 0) g[t] = 1;
    else g[t] = threadIdx.x; //~ here
    g[t + 1] = t;
}

// Behind it the outer one is back.
//~ race-free
__global__ void name_condition_ok(int *g)
{
    int t = threadIdx.x;
    if (int t = 1) g[64 + threadIdx.x] = t;
    g[t] = t;
}

// [shadow] In its own initialiser the new name is meant, not the outer one: a size.
//~ race
__global__ void name_initialiser_bad(char *g)
{
    int t = threadIdx.x;
    long long step = 8;
    {
        char step = sizeof(step);
        g[t * step] = t; //~ here
        g[t * step + 1] = t; //~ here
    }
    g[1000 + t * step] = t;
}

// [shadow] A local class hides the global one.
//~ race
__global__ void name_local_class_bad(int *g)
{
    struct Hides { int v; __device__ int size() const { return 3; } };
    Hides h = {(int)threadIdx.x};
    g[h.v = 6] = threadIdx.x; //~ here
}

// [shadow] A function's parameter with the name of a function.
//~ race
__global__ void name_function_bad(int *g)
{
    int t = threadIdx.x;
    auto zero = [](int) { return 2; };
    g[zero(t)] = t; //~ here
}

namespace apart {
__device__ int first(int v)
{
    struct Place {
        int slot, other;
        __device__ Place(int v) : slot(0), other(v) {}
    };
    Place place(v);
    return place.slot;
}

__device__ int second(int v)
{
    struct Place {
        int other, slot;
        __device__ Place(int v) : other(0), slot(v) {}
    };
    Place place(v);
    return place.slot;
}
}

// [shadow] The constructor of a class in a function that stands in a namespace: it sets the other member.
//~ race
__global__ void name_local_constructor_bad(int *g)
{
    g[apart::first(threadIdx.x)] = threadIdx.x; //~ here
}

//~ race-free
__global__ void name_local_constructor_ok(int *g)
{
    g[apart::second(threadIdx.x)] = threadIdx.x;
}
