//--blockDim=64 --gridDim=1
// Construct: C++20's constraints of templates, and initialisers that name members
#include <concepts>
#include <type_traits>

template <typename T> concept concepts_number = std::is_arithmetic_v<T>;
template <typename T> concept concepts_whole = concepts_number<T> && std::is_integral_v<T>;
template <typename T> concept concepts_sized = requires(T t) { sizeof(t) >= 4; };

__device__ int concepts_at() { return threadIdx.x; }

// A constrained parameter.
//~ race-free
template <concepts_number T> __global__ void concepts_parameter_ok(T *g)
{
    g[threadIdx.x] = 1;
}

// [index] The constraint changes nothing.
//~ race
template <concepts_number T> __global__ void concepts_parameter_bad(T *g)
{
    g[threadIdx.x / 2] = threadIdx.x; //~ here
}

// A clause, with a concept that is a requires-expression.
//~ race-free
template <typename T>
    requires concepts_number<T> && concepts_sized<T>
__global__ void concepts_clause_ok(T *g)
{
    g[threadIdx.x] = 1;
}

// Of two functions the constrained one is meant where its constraint holds.
template <concepts_whole T> __device__ int concepts_place(T t) { return t; }
template <typename T>
    requires(!concepts_whole<T>)
__device__ int concepts_place(T t)
{
    return int(t) / 2;
}

//~ race-free
__global__ void concepts_chosen_ok(int *g)
{
    g[concepts_place(concepts_at())] = 1;
}

// [overload] Of a float the other one is.
//~ race
__global__ void concepts_chosen_bad(int *g)
{
    g[concepts_place(float(concepts_at()))] = threadIdx.x; //~ here
}

// Concepts of the library, and one with an argument of its own.
template <std::integral T> __device__ int concepts_kind(T) { return 1; }
template <std::floating_point T> __device__ int concepts_kind(T) { return 2; }
template <std::same_as<double> T> __device__ int concepts_double(T) { return 1; }

//~ race-free
__global__ void concepts_library_ok(int *g)
{
    g[threadIdx.x * concepts_kind(1) * concepts_double(1.0)] = 1;
}

// [overload] The step of a float is two, and one between is stored to as well.
//~ race
__global__ void concepts_library_bad(int *g)
{
    g[threadIdx.x * concepts_kind(1.0f)] = 1; //~ here
    g[threadIdx.x] = 2; //~ here
}

// A parameter without a type.
__device__ auto concepts_twice(concepts_number auto x) { return x + x; }
__device__ int concepts_half(const auto &x) { return x / 2; }

//~ race-free
__global__ void concepts_auto_ok(int *g)
{
    g[concepts_twice(concepts_at())] = 1;
}

// [index] Half of an even number is that of no other one; of any, it is.
//~ race
__global__ void concepts_auto_bad(int *g)
{
    g[concepts_half(concepts_at())] = threadIdx.x; //~ here
}

struct ConceptsView
{
    int *p;
    template <typename T> __device__ int place(int i) const
        requires(std::is_same_v<T, int>)
    {
        return i;
    }
    template <typename T>
        requires(!std::is_same_v<T, int>)
    __device__ int place(int i) const
    {
        return i / 2;
    }
};

// A clause behind the parameters of a member.
//~ race-free
__global__ void concepts_member_ok(ConceptsView v)
{
    v.p[v.place<int>(threadIdx.x)] = 1;
}

// [overload] The other member is for other types.
//~ race
__global__ void concepts_member_bad(ConceptsView v)
{
    v.p[v.place<float>(threadIdx.x)] = threadIdx.x; //~ here
}

struct ConceptsShape
{
    int rows, between, columns;
};

// Members by their names; the one in between is 0.
//~ race-free
__global__ void concepts_designated_ok(int *g)
{
    ConceptsShape s{.rows = 1, .columns = int(threadIdx.x)};
    g[s.columns * s.rows + s.between] = 1;
}

// [index] The member that is left out is 0.
//~ race
__global__ void concepts_designated_bad(int *g)
{
    ConceptsShape s{.rows = int(threadIdx.x), .columns = 3};
    g[s.between + s.columns] = s.rows; //~ here
}

template __global__ void concepts_parameter_ok<float>(float *);
template __global__ void concepts_parameter_bad<float>(float *);
template __global__ void concepts_clause_ok<int>(int *);
