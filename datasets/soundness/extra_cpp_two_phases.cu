//--blockDim=64 --gridDim=1
// Extra: bases that depend on template parameters, bases that do not, member templates as arguments

constexpr int step = 0;
typedef char element;
__device__ int count = 0;

template <class T> struct Base {
    static constexpr int step = 1;
    typedef int element;
    static constexpr int width = 1;
    int count = 1;
};

template <class T> struct Derived : Base<T> {
    __device__ int outer() { return step; }
    __device__ int own() { return this->step; }
    __device__ int qualified() { return Base<T>::step; }
    __device__ int size() { return sizeof(element) - 1; }
    __device__ int own_size() { return sizeof(typename Base<T>::element) / 4; }
    __device__ int number() { return count; }
};

template <class T> struct Redeclared : Base<T> {
    static constexpr int step = 1;
    __device__ int own() { return step; }
};

struct Fixed { static constexpr int N = 0; static constexpr int M = 1; };
template <int N> struct Hidden : Fixed { static constexpr int step = N; };
template <int K> struct Seen : Fixed { static constexpr int step = K * M; };

template <class T> struct Outer {
    template <class U> struct Inner { static constexpr int step = sizeof(T) / 4 - 1; };
};
template <class T> struct Nest {
    template <class U> struct Middle {
        template <class V> struct Deep { static constexpr int step = sizeof(T) == sizeof(U); };
    };
    template <class U> using Named = typename Outer<T>::template Inner<U>;
    struct Plain { T member; };
};
template <class T, template <class> class F = Outer<T>::template Inner> struct Chosen { static constexpr int step = F<int>::step; };
template <template <class> class F, template <class> class G> struct Alike { static constexpr int step = 0; };
template <template <class> class F> struct Alike<F, F> { static constexpr int step = 1; };
template <class T> struct OfPlain { static constexpr int step = 1; };
template <> struct OfPlain<Nest<int>::Plain> { static constexpr int step = 0; };
template <class T> struct Special { template <class U> struct Inner { static constexpr int step = 1; }; };
template <> template <class U> struct Special<int>::Inner { static constexpr int step = 0; };
template <class T> struct Whole { static constexpr int step = 1; };
template <template <class> class F> struct Holder { static constexpr int step = F<double>::step; };

// [lookup] The base depends on the parameter: the constant outside is meant.
//~ race
__global__ void phase_base_bad(int *g)
{
    g[threadIdx.x * Derived<int>().outer()] = threadIdx.x; //~ here
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_base_ok(int *g)
{
    g[threadIdx.x * Derived<int>().own()] = threadIdx.x;
}

// [lookup] The type outside is meant.
//~ race
__global__ void phase_type_bad(int *g)
{
    g[threadIdx.x * Derived<int>().size()] = threadIdx.x; //~ here
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_type_ok(int *g)
{
    g[threadIdx.x * Derived<int>().own_size()] = threadIdx.x;
}

// [lookup] The variable outside is meant.
//~ race
__global__ void phase_field_bad(int *g)
{
    g[threadIdx.x * Derived<int>().number()] = threadIdx.x; //~ here
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_qualified_ok(int *g)
{
    g[threadIdx.x * Derived<int>().qualified()] = threadIdx.x;
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_redeclared_ok(int *g)
{
    g[threadIdx.x * Redeclared<int>().own()] = threadIdx.x;
}

// [lookup] The member of the base hides the parameter.
//~ fn_race
__global__ void phase_parameter_bad(int *g)
{
    g[threadIdx.x * Hidden<1>::step] = threadIdx.x; //~ here
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_parameter_ok(int *g)
{
    g[threadIdx.x * Seen<1>::step] = threadIdx.x;
}

// [lookup] The inner template is that of a class of its own arguments.
//~ race
__global__ void phase_member_bad(int *g)
{
    g[threadIdx.x * Holder<Outer<int>::Inner>::step] = threadIdx.x; //~ here
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_member_ok(int *g)
{
    g[threadIdx.x * Holder<Whole>::step] = threadIdx.x;
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_member_wide_ok(int *g)
{
    g[threadIdx.x * Holder<Outer<double>::Inner>::step] = threadIdx.x;
}

// [lookup] The classes around are told apart, all of them.
//~ race
__global__ void phase_nested_bad(int *g)
{
    g[threadIdx.x * Holder<Nest<double>::Middle<int>::Deep>::step] = threadIdx.x; //~ here
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_nested_ok(int *g)
{
    g[threadIdx.x * Holder<Nest<double>::Middle<double>::Deep>::step] = threadIdx.x;
}

// [lookup] Both instances are arguments: no step.
//~ race
__global__ void phase_both_bad(int *g)
{
    g[threadIdx.x * (Holder<Outer<int>::Inner>::step * 5 + Holder<Outer<double>::Inner>::step - 1)] = threadIdx.x; //~ here
}

// [lookup] One step and none.
//~ race-free
__global__ void phase_both_ok(int *g)
{
    g[threadIdx.x * (Holder<Outer<int>::Inner>::step * 5 + Holder<Outer<double>::Inner>::step)] = threadIdx.x;
}

// [lookup] Members of two instances are two templates.
//~ race
__global__ void phase_alike_bad(int *g)
{
    g[threadIdx.x * Alike<Outer<int>::Inner, Outer<double>::Inner>::step] = threadIdx.x; //~ here
}

// [lookup] Those of one are the same.
//~ race-free
__global__ void phase_alike_ok(int *g)
{
    g[threadIdx.x * Alike<Outer<int>::Inner, Outer<int>::Inner>::step] = threadIdx.x;
}

// [lookup] An alias template that is a member.
//~ race
__global__ void phase_named_bad(int *g)
{
    g[threadIdx.x * Holder<Nest<int>::Named>::step] = threadIdx.x; //~ here
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_named_ok(int *g)
{
    g[threadIdx.x * Holder<Nest<double>::Named>::step] = threadIdx.x;
}

// [lookup] A default that depends on another argument.
//~ race
__global__ void phase_default_bad(int *g)
{
    g[threadIdx.x * Chosen<int>::step] = threadIdx.x; //~ here
}

// [lookup] The step is one.
//~ race-free
__global__ void phase_default_ok(int *g)
{
    g[threadIdx.x * Chosen<double>::step] = threadIdx.x;
}

// [lookup] Member classes of two instances are two types.
//~ race
__global__ void phase_plain_bad(int *g)
{
    g[threadIdx.x * OfPlain<Nest<int>::Plain>::step] = threadIdx.x; //~ here
}

// [lookup] The other one.
//~ race-free
__global__ void phase_plain_ok(int *g)
{
    g[threadIdx.x * OfPlain<Nest<float>::Plain>::step] = threadIdx.x;
}

// [lookup] The member of one instance is defined outside of the class.
//~ fn_race
__global__ void phase_special_bad(int *g)
{
    g[threadIdx.x * Special<int>::Inner<char>::step] = threadIdx.x; //~ here
}
