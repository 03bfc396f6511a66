//--blockDim=64 --gridDim=1
// Construct: namespaces: nested, aliases, using, anonymous, one name in two of them

namespace fine {
constexpr int step = 1;
__device__ int at(int t) { return t * step; }
namespace inner {
constexpr int step = 2;
__device__ int at(int t) { return t * step; }
__device__ int outer(int t) { return fine::at(t); }
}
}

namespace coarse {
constexpr int step = 0;
__device__ int at(int t) { return t * step; }
struct Slot { int v; __device__ int get() const { return v * step; } };
}

namespace fine {
struct Slot { int v; __device__ int get() const { return v * step; } };
}

namespace a { namespace b { namespace c { __device__ int deep(int t) { return t; } } } }
namespace abc = a::b::c;
namespace a::b { __device__ int deep(int t) { return t / 2; } }

namespace { __device__ int hidden(int t) { return t; } }

inline namespace now { __device__ int current(int t) { return t; } }

__device__ int at(int t) { return 7; }

// One name in two namespaces.
//~ race-free
__global__ void namespace_qualified_ok(int *g)
{
    int t = threadIdx.x;
    g[fine::at(t)] = t;
}

// [name] The other one.
//~ race
__global__ void namespace_qualified_bad(int *g)
{
    int t = threadIdx.x;
    g[coarse::at(t)] = t; //~ here
}

// An inner namespace has its own constant.
//~ race-free
__global__ void namespace_inner_ok(int *g)
{
    int t = threadIdx.x;
    g[fine::inner::at(t) + 1] = t;
    g[fine::inner::at(t)] = t;
}

// [name] The function of the outer one: t and 2*t meet.
//~ race
__global__ void namespace_inner_bad(int *g)
{
    int t = threadIdx.x;
    g[fine::inner::at(t)] = t; //~ here
    g[fine::inner::outer(t)] = t; //~ here
}

// An alias of a namespace.
//~ race-free
__global__ void namespace_alias_ok(int *g)
{
    int t = threadIdx.x;
    g[abc::deep(t)] = t;
}

// [name] The namespace around it has one as well.
//~ race
__global__ void namespace_alias_bad(int *g)
{
    int t = threadIdx.x;
    namespace ab = a::b;
    g[ab::deep(t)] = t; //~ here
}

// A using declaration hides the global name.
//~ race-free
__global__ void namespace_using_ok(int *g)
{
    using fine::at;
    int t = threadIdx.x;
    g[at(t)] = t;
}

// [name] It ends with its block.
//~ race
__global__ void namespace_using_bad(int *g)
{
    int t = threadIdx.x;
    {
        using fine::at;
        g[at(t) + 100] = t;
    }
    g[at(t)] = t; //~ here
}

// A class of each.
//~ race-free
__global__ void namespace_class_ok(int *g)
{
    int t = threadIdx.x;
    fine::Slot s = {t};
    g[s.get()] = t;
}

// [name] The class of the same name.
//~ race
__global__ void namespace_class_bad(int *g)
{
    using namespace coarse;
    int t = threadIdx.x;
    Slot s = {t};
    g[s.get()] = t; //~ here
}

// Without a name, and inline.
//~ race-free
__global__ void namespace_anonymous_ok(int *g)
{
    int t = threadIdx.x;
    g[hidden(t)] = t;
    g[now::current(t) + 64] = t;
    g[::current(t) + 128] = t;
}

// [name] The global name.
//~ race
__global__ void namespace_global_bad(int *g)
{
    using fine::step;
    int t = threadIdx.x * step;
    g[::at(t)] = t; //~ here
}
