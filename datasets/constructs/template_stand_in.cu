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

// As an instance with int; nothing is said of others.
//~ race-free
template <typename T>
__global__ void stand_in_special_ok(T *out)
{
    out[Slot<T>::of(threadIdx.x)] = threadIdx.x;
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
