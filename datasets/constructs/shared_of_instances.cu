//--blockDim=64 --gridDim=1
// Constructs: shared arrays that function templates declare: an object for each instance

template <int N> __device__ int *room_of()
{
    __shared__ int s[N];
    return s;
}

template <class T> __device__ T *typed_room()
{
    __shared__ T s[64];
    return s;
}

template <int Id> struct Room {
    __device__ static int *get()
    {
        __shared__ int s[64];
        return s;
    }
};

// Two instances, two arrays.
//~ race-free
__global__ void instances_by_value_ok(int *g)
{
    int *a = room_of<64>(), *b = room_of<65>();
    a[threadIdx.x] = threadIdx.x;
    g[threadIdx.x] = b[63 - threadIdx.x];
}

// [one object] One instance, under two names.
//~ race
__global__ void instances_by_value_bad(int *g)
{
    int *a = room_of<64>(), *b = room_of<60 + 4>();
    a[threadIdx.x] = threadIdx.x; //~ here
    g[threadIdx.x] = b[63 - threadIdx.x]; //~ here
}

//~ race-free
__global__ void instances_by_type_ok(float *g)
{
    int *a = typed_room<int>();
    float *b = typed_room<float>();
    a[threadIdx.x] = threadIdx.x;
    g[threadIdx.x] = b[63 - threadIdx.x];
}

typedef int number;

// [one object] A type by another name is the same type.
//~ race
__global__ void instances_by_type_bad(int *g)
{
    int *a = typed_room<int>(), *b = typed_room<number>();
    a[threadIdx.x] = threadIdx.x; //~ here
    g[threadIdx.x] = b[63 - threadIdx.x]; //~ here
}

//~ race-free
__global__ void instances_of_class_ok(int *g)
{
    int *a = Room<0>::get(), *b = Room<1>::get();
    a[threadIdx.x] = threadIdx.x;
    g[threadIdx.x] = b[63 - threadIdx.x];
}

// [one object]
//~ race
__global__ void instances_of_class_bad(int *g)
{
    int *a = Room<1>::get(), *b = Room<1>::get();
    a[threadIdx.x] = threadIdx.x; //~ here
    g[threadIdx.x] = b[63 - threadIdx.x]; //~ here
}
