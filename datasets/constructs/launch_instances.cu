// Construct: kernels launched from host templates, whose instances and local type names tell the template arguments

template <class T>
struct Step { static const int width = 1; };

template <>
struct Step<double> { static const int width = 0; };

enum class Mode { spread, gather };

template <Mode M>
__device__ int place(int t);
template <>
__device__ int place<Mode::spread>(int t) { return t; }
template <>
__device__ int place<Mode::gather>(int t) { return t / 2; }

// The type has a name in the function that launches it.
//~ race-free
template <class T>
__global__ void instances_alias_ok(T *g)
{
    g[threadIdx.x * Step<T>::width] = threadIdx.x;
}

// [launch] The name means doubles in the inner block: every thread writes element 0.
//~ race
template <class T>
__global__ void instances_alias_bad(T *g)
{
    g[threadIdx.x * Step<T>::width] = threadIdx.x; //~ here
}

// Behind the inner block the name means floats again.
//~ race-free
template <class T>
__global__ void instances_restored_ok(T *g)
{
    g[threadIdx.x * Step<T>::width] = threadIdx.x;
}

// [launch] Behind the inner block the name means doubles again.
//~ race
template <class T>
__global__ void instances_restored_bad(T *g)
{
    g[threadIdx.x * Step<T>::width] = threadIdx.x; //~ here
}

// A member type of the template's argument.
//~ race-free
template <class T>
__global__ void instances_member_ok(T *g)
{
    g[threadIdx.x * Step<T>::width] = threadIdx.x;
}

// [launch] Of the other class it is a double.
//~ race
template <class T>
__global__ void instances_member_bad(T *g)
{
    g[threadIdx.x * Step<T>::width] = threadIdx.x; //~ here
}

// Enumerators of a scoped enumeration.
//~ race-free
template <Mode M>
__global__ void instances_mode_ok(int *g)
{
    g[place<M>(threadIdx.x)] = threadIdx.x;
}

// [launch] This one gathers.
//~ race
template <Mode M>
__global__ void instances_mode_bad(int *g)
{
    g[place<M>(threadIdx.x)] = threadIdx.x; //~ here
}

// Two functions take so many arguments: the call is not followed, its instance is known.
//~ race-free
template <class T>
__global__ void instances_overloaded_ok(T *g, int n)
{
    g[threadIdx.x * Step<T>::width] = n;
}

// [launch] The call is with doubles.
//~ race
template <class T>
__global__ void instances_overloaded_bad(T *g, int n)
{
    g[threadIdx.x * Step<T>::width] = threadIdx.x + n; //~ here
}

// The template calls itself.
//~ race-free
template <class T>
__global__ void instances_recursive_ok(T *g)
{
    g[threadIdx.x * Step<T>::width] = threadIdx.x;
}

// [launch] It calls itself for doubles, and works on doubles.
//~ race
template <class T>
__global__ void instances_recursive_bad(T *g)
{
    g[threadIdx.x * Step<T>::width] = threadIdx.x; //~ here
}

struct Single { using element = float; };
struct Twice { using element = double; };

template <class P>
static void of_single(void *memory)
{
    using element = typename P::element;
    instances_member_ok<element><<<1, 64>>>(static_cast<element *>(memory));
}

template <class P>
static void of_twice(void *memory)
{
    using element = typename P::element;
    instances_member_bad<element><<<1, 64>>>(static_cast<element *>(memory));
}

template <Mode M>
static void spread(int *g)
{
    instances_mode_ok<M><<<1, 64>>>(g);
}

template <Mode M>
static void gather(int *g)
{
    instances_mode_bad<M><<<1, 64>>>(g);
}

template <class T>
static void overloaded(T *g, int n)
{
    instances_overloaded_bad<T><<<1, 64>>>(g, n);
}

static void overloaded(int n, int *g)
{
    instances_overloaded_ok<int><<<1, 64>>>(g, n);
}

template <class T>
static void recursive(T *g, int depth)
{
    instances_recursive_ok<T><<<1, 64>>>(g);
    if (depth > 0) recursive<T>(g, depth - 1);
}

template <class T>
static void changing(T *g, int depth)
{
    instances_recursive_bad<double><<<1, 64>>>(reinterpret_cast<double *>(g));
    if (depth > 0) changing<double>(nullptr, depth - 1);
}

int main(int argc, char **argv)
{
    float *f;
    double *d;
    int *i;
    cudaMalloc(&f, 64 * sizeof(float));
    cudaMalloc(&d, 64 * sizeof(double));
    cudaMalloc(&i, 64 * sizeof(int));
    using number = float;
    instances_alias_ok<number><<<1, 64>>>(f);
    {
        using number = double;
        instances_alias_bad<number><<<1, 64>>>(d);
    }
    instances_restored_ok<number><<<1, 64>>>(f);
    if (argc > 1) {
        typedef double number;
        {
            typedef float number;
            instances_alias_ok<number><<<1, 64>>>(f);
        }
        instances_restored_bad<number><<<1, 64>>>(d);
    }
    of_single<Single>(f);
    of_twice<Twice>(d);
    spread<Mode::spread>(i);
    gather<Mode::gather>(i);
    overloaded(d, argc);
    recursive(f, argc);
    changing(f, argc);
    return 0;
}
