//--blockDim=64 --gridDim=1
// Extra: members of bases and names of other scopes

struct Ends { int *count; __device__ Ends(int *c) : count(c) {} __device__ ~Ends() { *count = *count + 1; } };
struct HasEnds { Ends x; __device__ HasEnds(int *c) : x(c) {} };
struct DerivedEnds : HasEnds { __device__ DerivedEnds(int *c) : HasEnds(c) {} };
struct First { int v; __device__ int get() { return v; } };
struct Hides : First { int v; __device__ int inherited() { return get(); } };
struct Left { int v; __device__ int left() { return v; } };
struct Right { int v; __device__ int right() { return v; } };
struct Two : Left, Right { __device__ int both() { return left() * 2 + right(); } };
template <class T> struct Cell { T v; };
struct IntCell : Cell<int> { __device__ void set(int x) { Cell<int>::v = x; } };
template <class T> struct AnyCell : Cell<T> { __device__ void set(T x) { Cell<T>::v = x; } };
typedef int Width;
struct Names { typedef char Width; __device__ int outer() { return sizeof(::Width); } __device__ int own() { return sizeof(Width); } };
constexpr int scale = 0;
namespace inner {
constexpr int scale = 1;
__device__ int far() { return ::scale; }
__device__ int near() { return scale; }
}

// [destructor] A member of a base ends once.
//~ race
__global__ void part_ended_bad(int *g)
{
    int n = 0;
    { DerivedEnds d(&n); }
    g[threadIdx.x * (n != 1)] = threadIdx.x; //~ here
}

// Once, and not more often.
//~ race-free
__global__ void part_ended_ok(int *g)
{
    int n = 0;
    { DerivedEnds d(&n); }
    g[threadIdx.x * (n == 1)] = threadIdx.x;
}

// [base] A function of the base means the field of the base.
//~ race
__global__ void part_hidden_bad(int *g)
{
    Hides h;
    h.v = 1;
    h.First::v = 0;
    g[threadIdx.x * h.inherited()] = threadIdx.x; //~ here
}

// The field of the base is 1.
//~ race-free
__global__ void part_hidden_ok(int *g)
{
    Hides h;
    h.v = 0;
    h.First::v = 1;
    g[threadIdx.x * h.inherited()] = threadIdx.x;
}

// [base] Each of two bases has a field of that name.
//~ race
__global__ void part_two_bad(int *g)
{
    Two t;
    t.Left::v = 0;
    t.Right::v = 1;
    g[threadIdx.x * (t.both() != 1)] = threadIdx.x; //~ here
}

// Each its own.
//~ race-free
__global__ void part_two_ok(int *g)
{
    Two t;
    t.Left::v = 0;
    t.Right::v = 1;
    g[threadIdx.x * (t.both() == 1)] = threadIdx.x;
}

// [base] The field of a base that is an instance of a template, by its qualified name.
//~ race
__global__ void part_cell_bad(int *g)
{
    IntCell c;
    c.v = 0;
    c.set(threadIdx.x);
    g[threadIdx.x - c.v] = threadIdx.x; //~ here
}

// It is written.
//~ race-free
__global__ void part_cell_ok(int *g)
{
    IntCell c;
    c.v = 0;
    c.set(threadIdx.x);
    g[c.v] = threadIdx.x;
}

// [base] The same in a template.
//~ race
__global__ void part_any_cell_bad(int *g)
{
    AnyCell<int> c;
    c.v = 0;
    c.set(threadIdx.x);
    g[threadIdx.x - c.v] = threadIdx.x; //~ here
}

// [names] Two colons in front mean the global type.
//~ race
__global__ void part_outer_name_bad(int *g)
{
    Names n;
    g[threadIdx.x * (n.outer() != 4)] = threadIdx.x; //~ here
}

// None mean the own one.
//~ race-free
__global__ void part_outer_name_ok(int *g)
{
    Names n;
    g[threadIdx.x * (n.own() == 1)] = threadIdx.x;
}

// [names] And the global constant.
//~ race
__global__ void part_outer_value_bad(int *g)
{
    g[threadIdx.x * inner::far()] = threadIdx.x; //~ here
}

// The one of the namespace.
//~ race-free
__global__ void part_outer_value_ok(int *g)
{
    g[threadIdx.x * inner::near()] = threadIdx.x;
}
