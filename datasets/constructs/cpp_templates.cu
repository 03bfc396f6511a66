//--blockDim=64 --gridDim=1
// Construct: templates: parameters with defaults, full and partial specialisations

template <int STRIDE = 1>
__device__ int spread(int t) { return t * STRIDE; }

template <class T, int WIDTH = 2>
struct Lane {
    static constexpr int width = WIDTH;
    __device__ static int first(int t) { return t * WIDTH; }
};

template <class T>
struct Step { static constexpr int value = 1; };

template <>
struct Step<float> { static constexpr int value = 0; };

template <class T>
struct Step<T *> { static constexpr int value = 2; };

template <class A, class B>
struct Same { static const bool value = false; };

template <class A>
struct Same<A, A> { static const bool value = true; };

template <int N>
struct Half { static constexpr int value = 1 + Half<N / 2>::value; };

template <>
struct Half<1> { static constexpr int value = 0; };

template <class T>
__device__ int slot(T, int t) { return t; }

template <>
__device__ int slot<float>(float, int t) { return t / 2; }

template <class T, int N>
__device__ void fill(T (&row)[N], int t, T v)
{
    for (int i = t; i < N; i += 64) row[i] = v; //~ here
}

// The default of the parameter is 1.
//~ race-free
__global__ void template_default_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[spread(t)] = t;
}

// [index] The given argument replaces the default.
//~ race
__global__ void template_default_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[spread<0>(t)] = t; //~ here
}

// Two elements for each thread, by the default width of the class.
//~ race-free
__global__ void template_class_default_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int j = 0; j < Lane<int>::width; j++) s[Lane<int>::first(t) + j] = t;
}

// [extent] The width of one instance with the places of another.
//~ race
__global__ void template_class_default_bad()
{
    __shared__ int s[130];
    int t = threadIdx.x;
    for (int j = 0; j < Lane<int, 3>::width; j++) s[Lane<int>::first(t) + j] = t; //~ here
}

// The general template for int, the partial specialisation for pointers.
//~ race-free
__global__ void template_special_ok(int *g)
{
    int t = threadIdx.x;
    g[t * Step<int>::value + 128] = t;
    g[t * Step<float *>::value] = t;
}

// [index] The full specialisation for float has the step 0.
//~ race
__global__ void template_special_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Step<float>::value] = t; //~ here
}

// Both parameters are one type: the specialisation.
//~ race-free
__global__ void template_same_ok(int *g)
{
    int t = threadIdx.x;
    g[Same<int, int>::value ? t : 0] = t;
}

// [index] Two types: the general template.
//~ race
__global__ void template_same_bad(int *g)
{
    int t = threadIdx.x;
    g[Same<int, short>::value ? t : 0] = t; //~ here
}

// A recursive template with an end: the logarithm of 64 is 6.
//~ race-free
__global__ void template_recursive_ok(int *g)
{
    int t = threadIdx.x;
    g[t << (Half<64>::value - 6)] = t;
}

// [index] The logarithm of 32 is 5.
//~ race
__global__ void template_recursive_bad(int *g)
{
    int t = threadIdx.x;
    g[t >> (6 - Half<32>::value)] = t; //~ here
}

// Deduced from the argument: int is the general function.
//~ race-free
__global__ void template_function_special_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[slot(1, t)] = t;
}

// [index] A float takes the specialisation.
//~ race
__global__ void template_function_special_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[slot(1.0f, t)] = t; //~ here
}

// The extent of the array is deduced.
//~ race-free
__global__ void template_extent_ok(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    fill(s, t, t);
    __syncthreads();
    out[t] = s[127 - t];
}

// [missing-barrier] The mirrored read comes right after.
//~ race
__global__ void template_extent_bad(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int i = t; i < 128; i += 64) s[i] = t; //~ here
    fill(s, t, 64 + t);
    out[t] = s[127 - t]; //~ here
}

template <int N>
using Cells = int[N + 1];

template <int N>
__device__ void fill_cells(Cells<N> &cells, int v)
{
    for (int j = 0; j <= N; j++) cells[j] = v; //~ here
}

// A reference to an array whose type is an alias with the template's argument, which the call gives.
//~ race-free
__global__ void template_alias_array_ok(int *g)
{
    __shared__ Cells<3> rows[64];
    fill_cells<3>(rows[threadIdx.x], threadIdx.x);
    g[threadIdx.x] = rows[threadIdx.x][3];
}

// [index] Two threads fill one row.
//~ race
__global__ void template_alias_array_bad(int *g)
{
    __shared__ Cells<3> rows[64];
    fill_cells<3>(rows[threadIdx.x / 2], threadIdx.x);
    g[threadIdx.x] = rows[threadIdx.x][3]; //~ here
}
