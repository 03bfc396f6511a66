//--blockDim=64 --gridDim=1
// Construct: kernel templates that nothing instantiates, whose bodies need to know the type

__device__ unsigned mixed(unsigned x) { return x * 2 + 1; }
__device__ unsigned mixed(int x) { return mixed((unsigned)x); }
__device__ unsigned long long mixed(unsigned long long x) { return x + 2; }

// Whichever overload is meant, the element is the thread's own.
//~ race-free
template <typename T>
__global__ void stand_in_ok(T *keys, T *out)
{
    int t = threadIdx.x;
    T key = keys[t];
    out[t] = mixed(key) % 64;
}

// [index] The element is that of a key, and two keys may be equal.
//~ race
template <typename T>
__global__ void stand_in_bad(T *keys, T *out)
{
    int t = threadIdx.x;
    T key = keys[t];
    out[mixed(key) % 64] = key; //~ here
}

template <typename T>
struct Slot;

template <>
struct Slot<int> {
    __device__ static int of(int t) { return t; }
};

template <>
struct Slot<float> {
    __device__ static int of(int t) { return t / 2; }
};

// [index] The instance with float races, whatever that with int does.
//~ race
template <typename T>
__global__ void stand_in_special_untold_bad(T *out)
{
    out[Slot<T>::of(threadIdx.x)] = threadIdx.x; //~ here
}

// [index] The same for the one instance that is asked for.
//~ race
template <typename T>
__global__ void stand_in_special_bad(T *out)
{
    out[Slot<T>::of(threadIdx.x)] = threadIdx.x; //~ here
}

template __global__ void stand_in_special_bad<float>(float *);

// The type of the elements is a member of a type that nothing tells.
//~ race-free
template <typename V>
__global__ void stand_in_member_ok(typename V::Scalar *to, const typename V::Scalar *from)
{
    to[threadIdx.x] = from[threadIdx.x + 1];
}

// [index] Neighbours share an element.
//~ race
template <typename V>
__global__ void stand_in_member_bad(typename V::Scalar *to, const typename V::Scalar *from)
{
    to[threadIdx.x / 2] = from[threadIdx.x]; //~ here
}

template <int N>
struct Spread {
    __device__ static int at(int t) { return t; }
};

template <>
struct Spread<4> {
    __device__ static int at(int t) { return 0; }
};

// [index] Which class is meant depends on a value that nothing tells: the special one races.
//~ race
template <int N>
__global__ void stand_in_value_untold_bad(int *g)
{
    g[Spread<N>::at(threadIdx.x)] = threadIdx.x; //~ here
}

template <int N>
__device__ int spread_at(int t) { return t; }

template <>
__device__ int spread_at<4>(int t) { return 0; }

// [index] Nor is it told which function.
//~ race
template <int N>
__global__ void stand_in_function_untold_bad(int *g)
{
    g[spread_at<N>(threadIdx.x)] = threadIdx.x; //~ here
}

// [index] The same where the value is told.
//~ race
template <int N>
__global__ void stand_in_value_bad(int *g)
{
    g[Spread<N>::at(threadIdx.x)] = threadIdx.x; //~ here
}

template __global__ void stand_in_value_bad<4>(int *);

// Whether the overload or the template is meant depends on the type.
__device__ int own_element(float *p, int t) { return 0; }

template <typename T>
__device__ int own_element(T *p, int t) { return t; }

// [index] The instance with float races, whatever that with int does.
//~ race
template <typename T>
__global__ void stand_in_overload_untold_bad(T *g)
{
    g[own_element(g, threadIdx.x)] = threadIdx.x; //~ here
}

// [index] The instance that is asked for takes the overload.
//~ race
template <typename T>
__global__ void stand_in_overload_bad(T *g)
{
    g[own_element(g, threadIdx.x)] = threadIdx.x; //~ here
}

template __global__ void stand_in_overload_bad<float>(float *);
