//--blockDim=64 --gridDim=1
// Extra: constants of specialisations

template <class T> struct Step { static constexpr int value = 1; };
template <> struct Step<float> { static constexpr int value = 0; };
template <class T> struct Step<T *> { static constexpr int value = 0; };

template <class T> struct Named { enum { value = 1 }; };
template <> struct Named<float> { enum { value = 0 }; };

template <class T> struct Method { __device__ static int value() { return 1; } };
template <> struct Method<float> { __device__ static int value() { return 0; } };

template <class T> constexpr int variable = 1;
template <> constexpr int variable<float> = 0;
template <class T> constexpr int variable<T *> = 0;

struct Marked { static const int mark = 1; };
struct Plain { int v; };
template <class T, class = void> struct Has { static constexpr int value = 1; };
template <class T> struct Has<T, decltype((void)T::mark)> { static constexpr int value = 0; };

template <class T> struct Outside { static const int value; };
template <class T> const int Outside<T>::value = 0;
template <> const int Outside<int>::value = 1;

// [specialisation] A constant of the full one.
//~ race
__global__ void special_constant_bad(int *g)
{
    g[threadIdx.x * Step<float>::value] = threadIdx.x; //~ here
}

// [specialisation] A constant of the partial one.
//~ race
__global__ void special_constant_partial_bad(int *g)
{
    g[threadIdx.x * Step<int *>::value] = threadIdx.x; //~ here
}

// [specialisation] An enumerator.
//~ race
__global__ void special_enum_bad(int *g)
{
    g[threadIdx.x * Named<float>::value] = threadIdx.x; //~ here
}

// [specialisation] A static method.
//~ race
__global__ void special_method_bad(int *g)
{
    g[threadIdx.x * Method<float>::value()] = threadIdx.x; //~ here
}

// [specialisation] A variable template.
//~ race
__global__ void special_variable_bad(int *g)
{
    g[threadIdx.x * variable<float>] = threadIdx.x; //~ here
}

// [specialisation] Its partial one.
//~ race
__global__ void special_variable_partial_bad(int *g)
{
    g[threadIdx.x * variable<char *>] = threadIdx.x; //~ here
}

// [specialisation] The member is there, so that the partial one fits.
//~ race
__global__ void special_detected_bad(int *g)
{
    g[threadIdx.x * Has<Marked>::value] = threadIdx.x; //~ here
}

// [specialisation] The constant is defined outside of the class.
//~ race
__global__ void special_outside_bad(int *g)
{
    g[threadIdx.x * Outside<float>::value] = threadIdx.x; //~ here
}

// The general one.
//~ race-free
__global__ void special_constant_ok(int *g)
{
    g[threadIdx.x * Step<int>::value] = threadIdx.x;
}

// The general one.
//~ race-free
__global__ void special_enum_ok(int *g)
{
    g[threadIdx.x * Named<int>::value] = threadIdx.x;
}

// The general one.
//~ race-free
__global__ void special_method_ok(int *g)
{
    g[threadIdx.x * Method<int>::value()] = threadIdx.x;
}

// The general one.
//~ race-free
__global__ void special_variable_ok(int *g)
{
    g[threadIdx.x * variable<int>] = threadIdx.x;
}

// It is not there.
//~ race-free
__global__ void special_detected_ok(int *g)
{
    g[threadIdx.x * Has<Plain>::value] = threadIdx.x;
}

// The specialised one.
//~ race-free
__global__ void special_outside_ok(int *g)
{
    g[threadIdx.x * Outside<int>::value] = threadIdx.x;
}
