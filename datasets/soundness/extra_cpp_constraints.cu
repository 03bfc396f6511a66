//--blockDim=64 --gridDim=1
// Extra: clauses of templates, specialisations of members, deduction from bases, functions as arguments

template <class X> requires (sizeof(X) == 8) __device__ int pairs(X) { return 2; }
template <class X> __device__ int pairs(X) { return 1; }

template <class X> struct Sized { enum { count = 1 }; };
template <class X> requires (sizeof(X) == 8) struct Sized<X> { enum { count = 2 }; };

template <class X> struct Picker {
    template <class Y> __device__ int pick(Y) { return 1; }
    template <class Y> __device__ int named() { return 1; }
};
template <> template <> __device__ int Picker<int>::pick<char>(char) { return 2; }
template <> template <> __device__ int Picker<int>::named<char>() { return 2; }

template <class X> __device__ X made() { return 1; }
template <> __device__ int made() { return 2; }

template <class X, class Y = X *> __device__ int defaulted() { return 1; }
template <> __device__ int defaulted<char>() { return 2; }

template <class D> struct Expr { int of; };
struct Twin : Expr<Twin> {};
struct Alone { int of; };
template <class D> __device__ int size_of(const Expr<D> &) { return 2; }
__device__ int size_of(const Alone &) { return 1; }
template <class D> __device__ int size_of(const Expr<D> *) { return 2; }
__device__ int size_of(const void *) { return 1; }

template <class T> struct Plain {};
template <class T> struct Derived : Plain<T> {};
template <class T> __device__ int depth_of(const Plain<T> &) { return sizeof(T) == 1 ? 2 : 1; }

__device__ int once(int x) { return x; }
__device__ int twice(int x) { return 2 * x; }
typedef int (*Step)(int);
template <Step f> struct Calls { static constexpr int count = 1; };
template <> struct Calls<twice> { static constexpr int count = 2; };
template <auto f> struct Any { static constexpr int count = 1; };
template <> struct Any<twice> { static constexpr int count = 2; };
template <Step f> __device__ int called() { return 1; }
template <> __device__ int called<twice>() { return 2; }
template <auto f, auto g> struct Equal { static constexpr int count = 1; };
template <auto f> struct Equal<f, f> { static constexpr int count = 2; };

// [constraint] Eight bytes: the overload with the clause.
//~ race
__global__ void clause_overload_bad(int *g)
{
    g[threadIdx.x / pairs(1.0)] = threadIdx.x; //~ here
}

// Four bytes: the other.
//~ race-free
__global__ void clause_overload_ok(int *g)
{
    g[threadIdx.x / pairs(1)] = threadIdx.x;
}

// [constraint] The partial specialisation with a clause.
//~ race
__global__ void clause_partial_bad(int *g)
{
    g[threadIdx.x / (int)Sized<double>::count] = threadIdx.x; //~ here
}

// The template itself.
//~ race-free
__global__ void clause_partial_ok(int *g)
{
    g[threadIdx.x / (int)Sized<int>::count] = threadIdx.x;
}

// [specialisation] The member template of one instance is specialised.
//~ race
__global__ void member_template_bad(int *g)
{
    g[threadIdx.x / Picker<int>().pick('a')] = threadIdx.x; //~ here
}

// That of another is not.
//~ race-free
__global__ void member_template_ok(int *g)
{
    g[threadIdx.x / Picker<long>().pick('a')] = threadIdx.x;
}

// [specialisation] With the argument written.
//~ race
__global__ void member_written_bad(int *g)
{
    g[threadIdx.x / Picker<int>().named<char>()] = threadIdx.x; //~ here
}

// Another argument.
//~ race-free
__global__ void member_written_ok(int *g)
{
    g[threadIdx.x / Picker<int>().named<short>()] = threadIdx.x;
}

// [specialisation] The result tells which specialisation it is.
//~ race
__global__ void result_tells_bad(int *g)
{
    g[threadIdx.x / made<int>()] = threadIdx.x; //~ here
}

// The template itself.
//~ race-free
__global__ void result_tells_ok(int *g)
{
    g[threadIdx.x / made<long>()] = threadIdx.x;
}

// [specialisation] An argument that is not written is the default.
//~ race
__global__ void default_tells_bad(int *g)
{
    g[threadIdx.x / (defaulted<char>())] = threadIdx.x; //~ here
}

// Another argument.
//~ race-free
__global__ void default_tells_ok(int *g)
{
    g[threadIdx.x / (defaulted<char, long>())] = threadIdx.x;
}

// [base] Deduced from a base of the class.
//~ race
__global__ void from_base_bad(int *g)
{
    g[threadIdx.x / size_of(Twin())] = threadIdx.x; //~ here
}

// A class without that base.
//~ race-free
__global__ void from_base_ok(int *g)
{
    g[threadIdx.x / size_of(Alone())] = threadIdx.x;
}

// [base] A pointer to an object of it.
//~ race
__global__ void from_base_pointer_bad(int *g)
{
    Twin twin;
    Alone alone;
    g[threadIdx.x / size_of(&twin)] = threadIdx.x; //~ here
}

// To another.
//~ race-free
__global__ void from_base_pointer_ok(int *g)
{
    Twin twin;
    Alone alone;
    g[threadIdx.x / size_of(&alone)] = threadIdx.x;
}

// [base] A base that is an instance of another template.
//~ race
__global__ void from_instance_bad(int *g)
{
    g[threadIdx.x / depth_of(Derived<char>())] = threadIdx.x; //~ here
}

// The class itself.
//~ race-free
__global__ void from_instance_ok(int *g)
{
    g[threadIdx.x / depth_of(Plain<int>())] = threadIdx.x;
}

// [function] A specialisation on a function.
//~ race
__global__ void function_argument_bad(int *g)
{
    g[threadIdx.x / Calls<twice>::count] = threadIdx.x; //~ here
}

// Another function.
//~ race-free
__global__ void function_argument_ok(int *g)
{
    g[threadIdx.x / Calls<once>::count] = threadIdx.x;
}

// [function] The same of a parameter of any type.
//~ race
__global__ void function_auto_bad(int *g)
{
    g[threadIdx.x / Any<&twice>::count] = threadIdx.x; //~ here
}

// Another function.
//~ race-free
__global__ void function_auto_ok(int *g)
{
    g[threadIdx.x / Any<once>::count] = threadIdx.x;
}

// [function] A function template on a function.
//~ race
__global__ void function_template_bad(int *g)
{
    g[threadIdx.x / called<twice>()] = threadIdx.x; //~ here
}

// Another function.
//~ race-free
__global__ void function_template_ok(int *g)
{
    g[threadIdx.x / called<once>()] = threadIdx.x;
}

// [function] The same function twice.
//~ race
__global__ void function_twice_bad(int *g)
{
    g[threadIdx.x / Equal<once, once>::count] = threadIdx.x; //~ here
}

// Two functions.
//~ race-free
__global__ void function_twice_ok(int *g)
{
    g[threadIdx.x / Equal<once, twice>::count] = threadIdx.x;
}
