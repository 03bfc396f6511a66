//--blockDim=64 --gridDim=1
// Extra: references that arguments of templates, bases, traits and deduction hand on

#include <type_traits>
#include <utility>

template <class T> struct Same { typedef T type; };
template <class T> struct Held { T member; __device__ void lower() { --member; } };
template <class T, class U> struct Two { T first; U second; };
template <class T, class U = T &> struct Defaulted { U member; };
struct Inherits : Same<int &> {};
struct Number { typedef int type; };
template <class T> struct Kind { static constexpr int value = 0; };
template <class T> struct Kind<T &> { static constexpr int value = 1; };
template <class T> struct Kind<const T &> { static constexpr int value = 2; };
template <class F> struct Parts;
template <class R, class A> struct Parts<R(A)> { typedef R result; typedef A argument; };
template <bool B, class T, class F> using conditional_t = F;
using Name = int &;

__device__ int cell;
__device__ int &other = cell;

__device__ int pick(const int &) { return 1; }
__device__ int pick(int &) { return 0; }
template <class T> struct Picks { __device__ static int by(const T &x) { return pick(x); } };

template <class T, class U> __device__ Two<T, U> tied(T &&a, U &&b) { return Two<T, U>{a, b}; }
template <class T> __device__ void copied(T x) { x = 0; }
template <class T> __device__ void element(Held<T> held, int &n) { T y = n; y = held.member; }
template <class T> __device__ T same(T &&x) { return x; }
template <class T> __device__ int kind(T &&) { return Kind<T>::value; }
template <class T> __device__ int isInteger() { return std::is_integral<T>::value; }
template <class T> __device__ void unlessPlace(T &&x) { if (!std::is_same<T, int &>::value) x = 0; }
template <class T> __device__ void ifPlace(T &&x) { if (std::is_same<T, int &>::value) x = 0; }
template <class F> __device__ auto applied(F &&f, int &x) -> decltype(f(x)) { return f(x); }
template <int &X> __device__ void named() { X = threadIdx.x; }
__device__ int wide(Same<const long &>::type x, int &n) { n = 0; return x; }
__device__ int narrow(Same<const int &>::type x, int &n) { n = 0; return x; }
struct Place { __device__ int &operator()(int &x) const { return x; } };
struct Value { __device__ int operator()(int &x) const { return x; } };

// [hidden] A member of a class for `int &` is a reference.
//~ race
__global__ void names_member_bad(int *o)
{
    int n = 4;
    Held<int &> held{n};
    for (int i = 0; i < 4; i++) held.lower();
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_member_ok(int *o)
{
    int n = 1;
    Held<int> held{n};
    held.lower();
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] `int &` is deduced and handed on to a class.
//~ race
__global__ void names_tied_bad(int *o)
{
    int n = 1, m = 1;
    auto pair = tied(n, m);
    pair.first = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_tied_ok(int *o)
{
    int n = 1;
    auto pair = tied(+n, +n);
    pair.first = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] A base has the name.
//~ race
__global__ void names_base_bad(int *o)
{
    int n = 1;
    Inherits::type r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_base_ok(int *o)
{
    int n = 1;
    Number::type r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] The argument is a default.
//~ race
__global__ void names_default_bad(int *o)
{
    int n = 1;
    Defaulted<int> held{n};
    held.member = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_default_ok(int *o)
{
    int n = 1;
    Defaulted<int, int> held{n};
    held.member = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] The argument of a class is deduced from it.
//~ race
__global__ void names_deduced_bad(int *o)
{
    int n = 1, m = 0;
    Held<int &> held{m};
    element(held, n);
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_deduced_ok(int *o)
{
    int n = 1, m = 0;
    Held<int> held{m};
    element(held, n);
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] `const T &` is `int &` where `T` is.
//~ race
__global__ void names_constant_bad(int *o)
{
    int n = 1;
    n = Picks<int &>::by(n);
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_constant_ok(int *o)
{
    int n = 1;
    n = Picks<int>::by(n);
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] A reference is no integer.
//~ race
__global__ void names_trait_bad(int *o)
{
    int n = isInteger<int &>();
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_trait_ok(int *o)
{
    int n = isInteger<int>();
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] `int &` is deduced for a place, `int` for what is moved.
//~ race
__global__ void names_same_bad(int *o)
{
    int n = 1;
    ifPlace(n);
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_same_ok(int *o)
{
    int n = 1;
    unlessPlace(n);
    ifPlace(std::move(n));
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] `constexpr` makes the place constant.
//~ race
__global__ void names_kind_bad(int *o)
{
    constexpr int c = 1;
    int n = kind(c) - 2;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_kind_ok(int *o)
{
    int m = 1;
    int n = kind(m);
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] The result and the parameters of the type of a function.
//~ race
__global__ void names_function_bad(int *o)
{
    int n = 1;
    Parts<int &(float)>::result r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_function_ok(int *o)
{
    int n = 1;
    Parts<int(float &)>::result r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] The result of a call is what was deduced for it.
//~ race
__global__ void names_call_bad(int *o)
{
    int n = 1;
    decltype(same(n)) r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_call_ok(int *o)
{
    int n = 1;
    decltype(same(+n)) r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] What the call of an object gives.
//~ race
__global__ void names_applied_bad(int *o)
{
    int n = 1;
    applied(Place(), n) = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_applied_ok(int *o)
{
    int n = 1;
    int r = applied(Value(), n);
    r = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] A conversion makes a temporary, which keeps the old value.
//~ race
__global__ void names_temporary_bad(int *o)
{
    int m = 1;
    int n = narrow(m, m);
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_temporary_ok(int *o)
{
    int m = 1;
    int n = wide(m, m);
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] An operand that changes a place is one.
//~ race
__global__ void names_operand_bad(int *o)
{
    int n = 1;
    decltype(++n) r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_operand_ok(int *o)
{
    int n = 1;
    decltype(n++) r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] The unit's own alias has the name of a trait.
//~ race
__global__ void names_own_bad(int *o)
{
    int n = 1;
    ::conditional_t<true, int, int &> r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_own_ok(int *o)
{
    int n = 1;
    ::conditional_t<true, int &, int> r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] A name in a block hides another of the kind until its end.
//~ race
__global__ void names_block_bad(int *o)
{
    int n = 1;
    {
        typedef int Name;
        Name r = n;
        r = 2;
    }
    Name r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_block_ok(int *o)
{
    int n = 1;
    typedef int Name;
    Name r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] The type is asked for of what the lambda does not capture.
//~ fn_race
__global__ void names_captured_bad(int *o)
{
    int n = 1, m = 1;
    int &q = m;
    auto f = [&] { decltype(q) r = n; r = 0; };
    f();
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

// [hidden] What the initialiser is decides.
//~ race
__global__ void names_deduction_bad(int *o)
{
    int n = 1;
    decltype(auto) r = (n);
    r = 0;
    o[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void names_deduction_ok(int *o)
{
    int n = 1;
    decltype(auto) r = n;
    r = 0;
    o[threadIdx.x * n] = threadIdx.x;
}

// [hidden] The parameter of the template is the variable.
//~ fn_race
__global__ void names_parameter_bad()
{
    named<cell>(); //~ here
}

// [hidden] A variable outside is another name for the other.
//~ fn_race
__global__ void names_outside_bad(int *o)
{
    if (threadIdx.x == 0) other = 1; //~ here
    if (threadIdx.x == 1) o[0] = cell; //~ here
}
