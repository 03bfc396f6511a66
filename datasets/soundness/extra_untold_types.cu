//--blockDim=64 --gridDim=1
// Extra: templates that nothing instantiates, where the program chooses another function for another type

template <class V> __device__ void put(V *g, int i, V v) { g[i] = v; }
template <> __device__ void put<float>(float *g, int i, float v) { g[i / 2] = v; } //~ here

__device__ void mark(int *g, int i) { g[i] = i; }
__device__ void mark(double *g, int i) { g[0] = i; }

template <class V> __device__ V twice(V v) { return v + v; }

// [specialisation] The instance for float races, that for int does not.
//~ race
template <class V> __global__ void untold_specialised_bad(V *g)
{
    put(g, threadIdx.x, V(threadIdx.x));
}

// [overload] The instance for double races, that for int does not.
//~ fn_race
template <class V> __global__ void untold_overloaded_bad(V *g)
{
    mark(g, threadIdx.x);
}

// One function for all types.
//~ race-free
template <class V> __global__ void untold_single_ok(V *g)
{
    int t = threadIdx.x;
    g[t] = twice(g[t]);
}

// [index not one-to-one] One function for all types.
//~ race
template <class V> __global__ void untold_single_bad(V *g)
{
    int t = threadIdx.x;
    g[t / 2] = twice(g[t]); //~ here
}
