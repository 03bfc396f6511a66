//--blockDim=64 --gridDim=1
// Construct: explicit instantiations

// For every instance that is named below the elements are the thread's own.
//~ race-free
template <int STEP>
__global__ void explicit_value_ok(int *g)
{
    g[threadIdx.x * STEP] = threadIdx.x;
}

template __global__ void explicit_value_ok<1>(int *);
template __global__ void explicit_value_ok<3>(int *);

// [instance] The instance for 0 has one element for all.
//~ race
template <int STEP>
__global__ void explicit_value_bad(int *g)
{
    g[threadIdx.x * STEP] = threadIdx.x; //~ here
}

template __global__ void explicit_value_bad<0>(int *);

// Elements of the instance's type, in bytes.
//~ race-free
template <class T>
__global__ void explicit_type_ok(char *g)
{
    *(T *)(g + threadIdx.x * sizeof(T)) = (T)threadIdx.x;
}

template __global__ void explicit_type_ok<short>(char *);
template __global__ void explicit_type_ok<double>(char *);

// [instance] Eight bytes every four.
//~ race
template <class T>
__global__ void explicit_type_bad(char *g)
{
    ((T *)g)[threadIdx.x] = (T)threadIdx.x; //~ here
    *(int *)(g + threadIdx.x * 4) = threadIdx.x; //~ here
}

template __global__ void explicit_type_bad<double>(char *);
