// Extra: names in host code that mean a member, a parameter or a local name, and not what is declared outside

template <int N> struct Sized { static constexpr int n = N; };
template <class T> struct Typed { static const int n = 32; };
template <> struct Typed<double> { static const int n = 64; };
const int M = 32;
typedef float T;
typedef float Real;

// [parameter] A parameter of the class around.
//~ race
__global__ void traits_parameter_bad(int *out)
{
    out[threadIdx.x & 31] = threadIdx.x; //~ here
}
template <int M> struct ByParameter {
    void go(int *out) { traits_parameter_bad<<<1, Sized<M>::n>>>(out); }
};

// [alias] A name that the class gives such a type.
//~ race
__global__ void traits_alias_bad(int *out)
{
    out[threadIdx.x & 31] = threadIdx.x; //~ here
}
template <int M> struct ByAlias {
    typedef Sized<M> Own;
    void go(int *out) { traits_alias_bad<<<1, Own::n>>>(out); }
};

// [nested] A parameter of the class around the class.
//~ race
__global__ void traits_nested_bad(int *out)
{
    out[threadIdx.x & 31] = threadIdx.x; //~ here
}
template <int M> struct Around {
    struct Inner {
        void go(int *out) { traits_nested_bad<<<1, Sized<M>::n>>>(out); }
    };
};

// [local] An enumerator of the function.
//~ race
__global__ void traits_local_bad(int *out)
{
    out[threadIdx.x & 31] = threadIdx.x; //~ here
}
void by_local(int *out)
{
    enum { M = 64 };
    traits_local_bad<<<1, Sized<M>::n>>>(out);
}

// [local] As it is.
//~ race
__global__ void traits_local_plain_bad(int *out)
{
    out[threadIdx.x & 31] = threadIdx.x; //~ here
}
void by_local_plain(int *out)
{
    enum { M = 64 };
    traits_local_plain_bad<<<1, M>>>(out);
}

// A name of the function that is none of the unit.
//~ race-free
__global__ void traits_local_ok(int *out)
{
    out[threadIdx.x & 31] = threadIdx.x;
}
void by_local_ok(int *out)
{
    enum { HALF = 16, WHOLE = HALF * 2 };
    traits_local_ok<<<1, WHOLE>>>(out);
}

// [base] A member of a base class.
//~ race
__global__ void traits_base_bad(int *out)
{
    out[threadIdx.x & 31] = threadIdx.x; //~ here
}
struct Base {
    static const int M = 64;
    typedef double Real;
};
struct Derived : Base {
    void go(int *out) { traits_base_bad<<<1, Sized<M>::n>>>(out); }
    void other(int *out);
};

// [base-type] A type of a base class, in a function defined outside.
//~ race
__global__ void traits_base_type_bad(int *out)
{
    out[threadIdx.x & 31] = threadIdx.x; //~ here
}
void Derived::other(int *out) { traits_base_type_bad<<<1, Typed<Real>::n>>>(out); }

// [outside] A member template of a class template, defined outside.
//~ race
__global__ void traits_outside_bad(int *out)
{
    out[threadIdx.x & 31] = threadIdx.x; //~ here
}
template <class T> struct Outside {
    template <class Y> void go(int *out);
};
template <class T> template <class Y> void Outside<T>::go(int *out)
{
    traits_outside_bad<<<1, Typed<T>::n>>>(out);
}

void launch(int *out)
{
    ByParameter<64>().go(out);
    ByAlias<64>().go(out);
    Around<64>::Inner().go(out);
    by_local(out);
    by_local_plain(out);
    by_local_ok(out);
    Derived().go(out);
    Derived().other(out);
    Outside<double>().go<int>(out);
}
