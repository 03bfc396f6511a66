//--blockDim=64 --gridDim=1
// Construct: names that using declarations, directives and aliases bring in, and those that they hide

namespace halves {
typedef unsigned short Word;
const int step = 1;

__device__ int place(int i)
{
    return i / 2;
}

struct Map {
    __device__ int of(int i) const
    {
        return i / 2;
    }
};
}

namespace wholes {
typedef unsigned int Word;
const int step = 2;

__device__ int place(int i)
{
    return i;
}

struct Map {
    __device__ int of(int i) const
    {
        return i;
    }
};
}

__device__ int place(int i)
{
    return i;
}

const int step = 2;

namespace user {
using halves::place;
using halves::step;

__device__ int there(int i)
{
    return place(i);
}

__device__ int apart(int i)
{
    return i * step;
}
}

// [index] The declaration hides the function outside.
//~ race
__global__ void sight_declared_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[user::there(t)] = t; //~ here
}

//~ race-free
__global__ void sight_declared_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[place(t)] = t;
}

// [index] Two elements a thread, one apart.
//~ race
__global__ void sight_constant_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[user::apart(t)] = t;     //~ here
    s[user::apart(t) + 1] = t; //~ here
}

//~ race-free
__global__ void sight_constant_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t * step] = t;
    s[t * step + 1] = t;
}

// [index] In a block, up to its end.
//~ race
__global__ void sight_block_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int i = 0;
    {
        using halves::Map;
        Map map;
        i = map.of(t);
    }
    s[i] = t; //~ here
}

//~ race-free
__global__ void sight_block_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int i = 0;
    {
        using namespace wholes;
        Map map;
        i = map.of(t);
    }
    s[i] = t;
}

// [width] Four bytes of which the next thread writes two.
//~ race
__global__ void sight_type_bad(unsigned char *g)
{
    using wholes::Word;
    *(Word *)(g + threadIdx.x * sizeof(halves::Word)) = 1; //~ here
}

//~ race-free
__global__ void sight_type_ok(unsigned char *g)
{
    using halves::Word;
    *(Word *)(g + threadIdx.x * sizeof(Word)) = 1;
}

namespace chosen = halves;

namespace inner {
namespace chosen {
__device__ int place(int i)
{
    return i;
}
}

// The namespace inside, not the alias outside.
//~ race-free
__global__ void sight_alias_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[chosen::place(t)] = t;
}

// [index]
//~ race
__global__ void sight_alias_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[::chosen::place(t)] = t; //~ here
}
}

struct Halved {
    __device__ int operator()(int i) const
    {
        return i / 2;
    }
};

namespace objects {
const Halved at{};
}

__device__ int at(int i)
{
    return i;
}

// Functions outside are not hidden by an object in a namespace.
//~ race-free
__global__ void sight_object_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[at(t)] = t;
}

template <typename T>
struct Base {
    __device__ int abs(T i)
    {
        return i / 2;
    }
};

template <typename T>
struct Derived : Base<T> {
    __device__ int by_name(T i)
    {
        return abs(i);
    }

    __device__ int by_this(T i)
    {
        return this->abs(i);
    }
};

// A base that depends on the parameter is not looked into.
//~ race-free
__global__ void sight_base_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Derived<int> d;
    s[d.by_name(t)] = t;
}

// [index]
//~ race
__global__ void sight_base_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Derived<int> d;
    s[d.by_this(t)] = t; //~ here
}

struct Flag {
    int held;

    __device__ operator int() const
    {
        return held;
    }

    __device__ explicit operator bool() const
    {
        return held > 3;
    }
};

// [guard] Asked for its truth, it is true of all.
//~ race
__global__ void sight_explicit_bad(int *g)
{
    Flag flag{5};
    if (flag) {
        g[0] = threadIdx.x; //~ here
    }
}

//~ race-free
__global__ void sight_explicit_ok(int *g)
{
    Flag flag{2};
    if (flag) {
        g[0] = threadIdx.x;
    }
}

template <typename... T>
struct Pairs;

template <>
struct Pairs<> {
    static const int count = 2;
};

// The specialisation for no types.
//~ race-free
__global__ void sight_empty_ok(int *g)
{
    if (Pairs<>::count == 1) {
        g[0] = threadIdx.x;
    }
}
