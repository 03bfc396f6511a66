//--blockDim=64 --gridDim=1
// Extra: types whose name hides that they are references: dependent typedefs, traits, decltype, template arguments

#include <iterator>
#include <type_traits>
#include <utility>

template <class T> struct Same { typedef T type; };
template <bool B, class T, class F> struct Choice { typedef T type; };
template <class T, class F> struct Choice<false, T, F> { typedef F type; };
template <class T> struct Argument;
template <class T> struct Argument<void(T)> { typedef T type; };
template <class T> using Alias = typename Same<T>::type;
using Added = std::add_lvalue_reference<int>::type;

struct Held { Same<int &>::type member; };
struct Both { int &to; int own; };
struct Cell { int value; __device__ auto at() -> decltype((value)) { return value; } };

__device__ auto trailing(int &x) -> decltype((x)) { return x; }
__device__ Same<int &>::type returned(int &x) { return x; }
__device__ void taken(Same<int &>::type x) { x = 0; }
__device__ void library(std::iterator_traits<int *>::reference x) { x = 0; }
__device__ void declared(int &x, decltype(x) y) { y = x; }
template <class T> __device__ void copied(T x) { x = 0; }
template <class T> __device__ T forwarded(T &&x) { return x; }
template <class T> __device__ void dependent(T &&x) { typename Same<T>::type y = x; y = 0; }

// [hidden] A dependent typedef of a reference is a reference, that of a number a copy.
//~ race
__global__ void hidden_typedef_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Same<int &>::type r = n;
    r = 0;
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_typedef_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Same<int>::type r = n;
    r = 0;
    o[t * n] = t;
}

//~ race
__global__ void hidden_conditional_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    std::conditional<true, int &, int>::type r = n;
    r = 0;
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_conditional_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    std::conditional<true, int, int>::type r = n;
    r = 0;
    o[t * n] = t;
}

//~ race
__global__ void hidden_alias_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Alias<int &> r = n;
    r = 0;
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_alias_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Alias<int> r = n;
    r = 0;
    o[t * n] = t;
}

//~ race
__global__ void hidden_choice_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Choice<true, int &, int>::type r = n;
    r = 0;
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_choice_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Choice<true, int, float>::type r = n;
    r = 0;
    o[t * n] = t;
}

//~ race
__global__ void hidden_function_type_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Argument<void(int &)>::type r = n;
    r = 0;
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_declval_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    decltype(std::declval<int &>()) r = n;
    r = 0;
    o[t * n] = t; //~ here
}

// [hidden] `decltype` of a name in parentheses is a reference.
//~ race
__global__ void hidden_parentheses_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    decltype((n)) r = n;
    r = 0;
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_parentheses_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    decltype(n) r = n;
    r = 0;
    o[t * n] = t;
}

//~ race
__global__ void hidden_member_type_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Both both{n, 1};
    decltype(both.to) r = n;
    r = 0;
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_member_type_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Both both{n, 1};
    decltype(both.own) r = n;
    r = 0;
    o[t * n] = t;
}

//~ race
__global__ void hidden_result_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    trailing(n) = 0;
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_result_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    int r = trailing(n);
    r = 0;
    o[t * n] = t;
}

//~ race
__global__ void hidden_returned_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    returned(n) = 0;
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_parameter_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    taken(n);
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_library_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    library(n);
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_declared_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    int m = 0;
    declared(m, n);
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_argument_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    copied<Added>(n);
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_argument_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    copied<int>(n);
    o[t * n] = t;
}

//~ race
__global__ void hidden_own_argument_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    int &q = n;
    copied<decltype(q)>(q);
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_own_argument_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    int &q = n;
    copied(q);
    o[t * n] = t;
}

// [hidden] `int &` is deduced for a forwarding reference.
//~ race
__global__ void hidden_forwarded_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    forwarded(n) = 0;
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_dependent_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    dependent(n);
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_member_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Held held{n};
    held.member = 0;
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_method_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Cell cell{1};
    cell.at() = 0;
    n = cell.value;
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_lambda_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    auto f = [](Same<int &>::type x) { x = 0; };
    f(n);
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_lambda_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    auto f = [](Same<int>::type x) { x = 0; };
    f(n);
    o[t * n] = t;
}

//~ race
__global__ void hidden_lambda_result_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    auto f = [&](int) -> Same<int &>::type { return n; };
    f(1) = 0;
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_cast_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    static_cast<Same<int &>::type>(n) = 0;
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_called_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    ++Same<int &>::type(n);
    n -= 2;
    o[t * n] = t; //~ here
}

//~ race
__global__ void hidden_local_name_bad(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    using Local = std::conditional_t<true, int &, int>;
    Local r = n;
    r = 0;
    o[t * n] = t; //~ here
}

//~ race-free
__global__ void hidden_local_name_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    using Local = std::conditional_t<true, int, float>;
    Local r = n;
    r = 0;
    o[t * n] = t;
}

//~ race-free
__global__ void hidden_pointer_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    Same<int *>::type p = &n;
    *p = 1;
    o[t * n] = t;
}

//~ race-free
__global__ void hidden_removed_ok(int *o)
{
    int t = threadIdx.x;
    int n = 1;
    std::remove_reference<int &>::type r = n;
    r = 0;
    o[t * n] = t;
}

// [hidden] What is written through the reference is memory.
//~ race
__global__ void hidden_element_bad(int *o)
{
    Same<int &>::type r = o[0];
    r = threadIdx.x; //~ here
}

//~ race-free
__global__ void hidden_element_ok(int *o)
{
    Same<int>::type r = o[0];
    r = threadIdx.x;
}

//~ race
__global__ void hidden_shared_bad(int *o)
{
    __shared__ int s;
    Same<int &>::type r = s;
    r = threadIdx.x; //~ here
    o[threadIdx.x] = 0;
}
