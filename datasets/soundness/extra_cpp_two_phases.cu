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
//~ fp_race-free
__global__ void phase_member_wide_ok(int *g)
{
    g[threadIdx.x * Holder<Outer<double>::Inner>::step] = threadIdx.x;
}
