// Extra: objects in host code that refer to the variables they are made of: in braces, by conversions, by subscripts

#include <atomic>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
struct Setter { Setter(int &x) { x = 64; } };
struct Holder { int &r; Holder(int &x) : r(x) {} void set() { r = 64; } };
struct Ref { int &r; void set() { r = 64; } };
struct Outer { Setter s; };
struct Around { Holder h; };
struct Derived : Setter { using Setter::Setter; };
struct Table { void operator[](int &x) { x = 64; } };
struct Value { int n; Value(int x) : n(x) {} };
struct Plain { int n; };
template <class T> struct Wrapped { T x; void set() { x = 64; } };
template <class T = int &> struct Standard { T x; void set() { x = 64; } };
void take(Setter) {}
void take_value(Value) {}
Setter give(int &x) { return x; }
Value give_value(int x) { return x; }
namespace one {
struct Comma {};
void operator,(Comma, int &x) { x = 64; }
void operator+(Comma, int &x) { x = 64; }
}
namespace two {
struct Comma { int a; };
}

// [launch] For an argument in braces.
//~ race
__global__ void bound_list_argument_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A member of a class in braces.
//~ race
__global__ void bound_list_member_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Elements of an array.
//~ race
__global__ void bound_list_elements_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Elements of a vector.
//~ race
__global__ void bound_list_vector_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A member that keeps a reference.
//~ race
__global__ void bound_list_holder_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A template argument is a reference.
//~ race
__global__ void bound_list_wrapped_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] The default of a template parameter is a reference.
//~ race
__global__ void bound_list_standard_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A reference to an object in braces.
//~ race
__global__ void bound_list_reference_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] On the heap.
//~ race
__global__ void bound_list_heap_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Assigned.
//~ race
__global__ void bound_list_assigned_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A cast.
//~ race
__global__ void bound_cast_written_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A static cast.
//~ race
__global__ void bound_cast_static_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] What is returned is converted.
//~ race
__global__ void bound_cast_returned_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] An argument of a lambda.
//~ race
__global__ void bound_cast_lambda_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] What a lambda returns.
//~ race
__global__ void bound_cast_lambda_return_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A constructor that is inherited.
//~ race
__global__ void bound_derived_inherits_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A subscript.
//~ race
__global__ void bound_subscript_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A subscript of a temporary.
//~ race
__global__ void bound_subscript_made_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Inside another object.
//~ race
__global__ void bound_optional_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A reference wrapper.
//~ race
__global__ void bound_wrapper_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A reference wrapper with an equals sign.
//~ race
__global__ void bound_wrapper_equals_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] The variable is set again in between.
//~ race
__global__ void bound_wrapper_later_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] By another name.
//~ race
__global__ void bound_wrapper_named_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] An atomic reference.
//~ race
__global__ void bound_atomic_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A tuple of references.
//~ race
__global__ void bound_tuple_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A trait that makes a reference.
//~ race
__global__ void bound_trait_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Its short form.
//~ race
__global__ void bound_trait_short_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A comma of a class of which there are two.
//~ race
__global__ void bound_comma_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A plus of a class of which there are two.
//~ race
__global__ void bound_plus_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// A value for an argument in braces.
//~ race-free
__global__ void bound_list_argument_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// A plain member.
//~ race-free
__global__ void bound_list_member_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// Numbers and plain elements of vectors.
//~ race-free
__global__ void bound_list_vector_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// A template argument is a number.
//~ race-free
__global__ void bound_list_wrapped_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// A class that takes values.
//~ race-free
__global__ void bound_list_value_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// Sizes of launches.
//~ race-free
__global__ void bound_list_sizes_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// A cast to a class that takes values.
//~ race-free
__global__ void bound_cast_value_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// A value that is returned.
//~ race-free
__global__ void bound_cast_returned_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// A number of elements.
//~ race-free
__global__ void bound_count_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

void host(int *g)
{
    {
        int n = 32;
        take({n});
        bound_list_argument_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Outer o{n};
        bound_list_member_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Ref l[1] = {{n}};
        for (auto &x : l) x.set();
        bound_list_elements_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::vector<Ref> v{{n}};
        v[0].r = 64;
        bound_list_vector_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Around a{n};
        a.h.r = 64;
        bound_list_holder_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Wrapped<int &> w{n};
        w.set();
        bound_list_wrapped_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Standard<> w{n};
        w.set();
        bound_list_standard_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        const Setter &s{n};
        bound_list_reference_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        new Outer{n};
        bound_list_heap_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Outer o = *(Outer *)nullptr;
        o = {n};
        bound_list_assigned_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        (void)(Setter)n;
        bound_cast_written_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        (void)static_cast<Setter>(n);
        bound_cast_static_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        give(n);
        bound_cast_returned_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        auto f = [](Setter) {};
        f(n);
        bound_cast_lambda_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        auto f = [&]() -> Setter { return n; };
        f();
        bound_cast_lambda_return_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Derived d{n};
        bound_derived_inherits_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Table t;
        t[n];
        bound_subscript_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Table()[n];
        bound_subscript_made_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::optional<Holder> v(n);
        v->r = 64;
        bound_optional_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::reference_wrapper<int> r(n);
        r.get() = 64;
        bound_wrapper_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::reference_wrapper<int> r = n;
        r.get() = 64;
        bound_wrapper_equals_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::reference_wrapper<int> r{n};
        n = 32;
        r.get() = 64;
        bound_wrapper_later_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        using Alias = std::reference_wrapper<int>;
        Alias r{n};
        r.get() = 64;
        bound_wrapper_named_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::atomic_ref<int> d(n);
        d.store(64);
        bound_atomic_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::tuple<int &> d{n};
        std::get<0>(d) = 64;
        bound_tuple_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::add_lvalue_reference<int>::type r = n;
        r = 64;
        bound_trait_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::add_lvalue_reference_t<int> r = n;
        r = 64;
        bound_trait_short_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        one::Comma(), n;
        bound_comma_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        one::Comma() + n;
        bound_plus_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        take_value({n});
        bound_list_argument_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        Plain p{n};
        Plain q = {n};
        Plain l[2] = {{n}, {n}};
        bound_list_member_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::vector<int> v{n};
        std::vector<Plain> w{{n}};
        v.push_back({n});
        bound_list_vector_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        Wrapped<int> w{n};
        w.set();
        bound_list_wrapped_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        Value v{n};
        Value w = n;
        std::vector<Value> l{n};
        bound_list_value_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        dim3 g{(unsigned)n};
        dim3 h(n);
        std::pair<int, int> p{n, n};
        bound_list_sizes_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        (void)static_cast<Value>(n);
        (void)(Value)n;
        bound_cast_value_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        give_value(n);
        bound_cast_returned_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::vector<Holder> v;
        std::vector<int> w(n);
        bound_count_ok<<<1, n>>>(g);
    }
}
