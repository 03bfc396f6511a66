//--blockDim=64 --gridDim=1
// Construct: template value parameters, as uniform symbols and in dimensions

// Whatever N is, t*N + j with j < N is private to the thread.
//~ race-free
template <int N>
__global__ void template_values_ok(int *g)
{
    int t = threadIdx.x;
    for (int j = 0; j < N; j++) g[t * N + j] = t;
}

// [extent] One element too many, for every N.
//~ race
template <int N>
__global__ void template_values_bad(int *g)
{
    int t = threadIdx.x;
    for (int j = 0; j <= N; j++) g[t * N + j] = t; //~ here
}

// The barrier depends on a value that is the same in all threads; both settings are race-free.
//~ race-free
template <bool MIRROR>
__global__ void template_flag_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (MIRROR) {
        __syncthreads();
        out[t] = s[63 - t];
    } else {
        out[t] = s[t];
    }
}

// [missing-barrier] For FENCE == false the mirrored read has no barrier.
//~ race
template <bool FENCE>
__global__ void template_flag_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (FENCE) __syncthreads();
    out[t] = s[63 - t]; //~ here
}

template <int N>
__device__ int scaled(int v) { return v * N; }

// The helper is instantiated with two values.
//~ race-free
__global__ void template_helper_ok(int *g)
{
    int t = threadIdx.x;
    g[scaled<2>(t)] = t;
    g[scaled<2>(t) + 1] = t;
}

// [index] 3t and 2t + 1 meet.
//~ race
__global__ void template_helper_bad(int *g)
{
    int t = threadIdx.x;
    g[scaled<3>(t)] = t; //~ here
    g[scaled<2>(t) + 1] = t; //~ here
}

template <class T>
__device__ void store_at(T *p, int i, T v) { p[i] = v; }

// Type parameters: four bytes and two bytes.
//~ race-free
__global__ void template_type_ok(int *g, short *h)
{
    int t = threadIdx.x;
    store_at(g, t, t);
    store_at(h, t, (short)t);
}
