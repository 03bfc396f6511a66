//--blockDim=64 --gridDim=1
// Extra: which function, which specialisation: by const, reference, type, base and order of arguments

__device__ int kind(float) { return 1; }
__device__ int kind(double) { return 0; }

__device__ int sign(unsigned) { return 0; }
__device__ int sign(int) { return 1; }

__device__ int size(long) { return 0; }
__device__ int size(int) { return 1; }

__device__ int truth(bool) { return 1; }
__device__ int truth(int) { return 0; }

__device__ int lit(char) { return 0; }
__device__ int lit(int) { return 1; }

__device__ int mine(int &) { return 0; }
__device__ int mine(int &&) { return 1; }

template <class T> struct Step { __device__ static int at(int t) { return t; } };
template <> struct Step<short> { __device__ static int at(int t) { return t / 2; } };
template <class T> struct Step<const T> { __device__ static int at(int t) { return 0; } };
template <class T, int N> struct Step<T[N]> { __device__ static int at(int t) { return t % N; } };
typedef short Small;
template <class T> using Constant = const T;

template <class T> struct Rank { static constexpr int step = 1; };
template <> struct Rank<Small> { static constexpr int step = 0; };

template <int N, bool B = (N > 4)> struct Big { static __device__ int at(int t) { return t; } };
template <int N> struct Big<N, true> { static __device__ int at(int t) { return t / N; } };

template <class T> __device__ int form(T) { return 1; }
template <class T> __device__ int form(T *) { return 0; }
template <> __device__ int form<char>(char) { return 0; }

struct Base { __device__ int at(int t) const { return 0; } };
struct Derived : Base { __device__ int at(int t) const { return t; } };
struct More : Base { using Base::at; __device__ int at(float t) const { return (int)t; } };
__device__ int of(const Base &b, int t) { return b.at(t); }
__device__ int of(const Derived &d, int t, int) { return d.at(t); }

struct Virtual { __device__ virtual int at(int t) const { return t; } };
struct Override : Virtual { __device__ int at(int t) const override { return t / 2; } };
__device__ int dispatch(const Virtual &v, int t) { return v.at(t); }

struct Changes { int v; __device__ int next() volatile { return v; } __device__ int next() { return 0; } };

template <int N> __device__ int down(int t) { return N == 0 ? 0 : down<(N > 0 ? N - 1 : 0)>(t); }

namespace lib { struct Tag { int v; }; __device__ int find(Tag, int t) { return t / 2; } }
struct Tag2 { int v; };
__device__ int find(Tag2, int t) { return t; }

// [overload] A literal without f is a double.
//~ race
__global__ void choice_double_bad(int *g)
{
    int t = threadIdx.x;
    g[t * kind(1.0)] = t; //~ here
}

// With f.
//~ race-free
__global__ void choice_double_ok(int *g)
{
    int t = threadIdx.x;
    g[t * kind(1.0f)] = t;
}

// [overload] threadIdx.x is unsigned.
//~ race
__global__ void choice_sign_bad(int *g)
{
    g[threadIdx.x * sign(threadIdx.x)] = threadIdx.x; //~ here
}

// The variable is not.
//~ race-free
__global__ void choice_sign_ok(int *g)
{
    int t = threadIdx.x;
    g[t * sign(t)] = t;
}

// [overload] The sum of int and long is long.
//~ race
__global__ void choice_long_bad(int *g)
{
    int t = threadIdx.x;
    g[t * size(t + 1L)] = t; //~ here
}

// [overload] A comparison is a bool, a negated number too, a sum of bools an int.
//~ race
__global__ void choice_bool_bad(int *g)
{
    int t = threadIdx.x;
    g[t * truth((t > 1) + (t > 2))] = t; //~ here
}

// A bool.
//~ race-free
__global__ void choice_bool_ok(int *g)
{
    int t = threadIdx.x;
    g[t * truth(!t)] = t;
}

// [overload] A character is a char in C++.
//~ race
__global__ void choice_char_bad(int *g)
{
    int t = threadIdx.x;
    g[t * lit('x')] = t; //~ here
}

// [overload] A moved variable is one thing, a variable another.
//~ race
__global__ void choice_rvalue_bad(int *g)
{
    int t = threadIdx.x;
    int &&r = t + 0;
    g[t * mine(r)] = t; //~ here
}

// [specialisation] Chosen by the name of the type.
//~ race
__global__ void choice_typedef_bad(int *g)
{
    int t = threadIdx.x;
    g[Step<Small>::at(t)] = t; //~ here
}

// [specialisation] By a constant of a specialisation for a named type.
//~ race
__global__ void choice_typedef_constant_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Rank<short>::step] = t; //~ here
}

// The general one.
//~ race-free
__global__ void choice_typedef_ok(int *g)
{
    int t = threadIdx.x;
    g[Step<int>::at(t) * Rank<int>::step] = t;
}

// [specialisation] const makes another type.
//~ race
__global__ void choice_const_bad(int *g)
{
    int t = threadIdx.x;
    g[Step<Constant<int>>::at(t)] = t; //~ here
}

// [specialisation] For an array.
//~ race
__global__ void choice_array_bad(int *g)
{
    int t = threadIdx.x;
    g[Step<int[8]>::at(t)] = t; //~ here
}

// [specialisation] By a default that depends on the first parameter.
//~ race
__global__ void choice_default_bad(int *g)
{
    int t = threadIdx.x;
    g[Big<8>::at(t)] = t; //~ here
}

// It is false here.
//~ race-free
__global__ void choice_default_ok(int *g)
{
    int t = threadIdx.x;
    g[Big<4>::at(t)] = t;
}

// [specialisation] Of a function template.
//~ race
__global__ void choice_function_bad(int *g)
{
    int t = threadIdx.x;
    g[t * form('a')] = t; //~ here
}

// Not for int.
//~ race-free
__global__ void choice_function_ok(int *g)
{
    int t = threadIdx.x;
    g[t * form(4)] = t;
}

// [base] As its base, the object has the method of the base.
//~ race
__global__ void choice_base_bad(int *g)
{
    int t = threadIdx.x;
    Derived d;
    g[of(d, t)] = t; //~ here
}

// As itself its own.
//~ race-free
__global__ void choice_base_ok(int *g)
{
    int t = threadIdx.x;
    Derived d;
    g[of(d, t, 0)] = t;
}

// [base] The method of the base is brought in, and is the exact one.
//~ race
__global__ void choice_brought_bad(int *g)
{
    int t = threadIdx.x;
    More m;
    g[m.at(t)] = t; //~ here
}

// [virtual] The method of the object, not of the reference.
//~ race
__global__ void choice_virtual_bad(int *g)
{
    int t = threadIdx.x;
    Override o;
    g[dispatch(o, t)] = t; //~ here
}

// [volatile] The volatile object has the other method.
//~ race
__global__ void choice_volatile_bad(int *g)
{
    int t = threadIdx.x;
    Changes c;
    c.v = t;
    g[c.next()] = t; //~ here
}

// [recursion] Down to 0.
//~ race
__global__ void choice_recursion_bad(int *g)
{
    int t = threadIdx.x;
    g[down<5>(t)] = t; //~ here
}

// [namespace] The function is found in the namespace of its argument.
//~ race
__global__ void choice_argument_bad(int *g)
{
    int t = threadIdx.x;
    lib::Tag tag = {0};
    g[find(tag, t)] = t; //~ here
}

// The argument is of another.
//~ race-free
__global__ void choice_argument_ok(int *g)
{
    int t = threadIdx.x;
    Tag2 tag = {0};
    g[find(tag, t)] = t;
}
