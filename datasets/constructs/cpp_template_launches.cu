// Construct: instantiations bound from launches and from explicit instantiations

template <class T>
struct Traits { static const int step = 1; };

template <>
struct Traits<double> { static const int step = 0; };

// The type is deduced from the argument.
//~ race-free
template <class T>
__global__ void instance_deduced_ok(T *g)
{
    g[threadIdx.x * Traits<T>::step] = threadIdx.x;
}

// [launch] Launched for doubles: every thread writes element 0.
//~ race
template <class T>
__global__ void instance_deduced_bad(T *g)
{
    g[threadIdx.x * Traits<T>::step] = threadIdx.x; //~ here
}

// The second parameter has a default.
//~ race-free
template <class T, int STEP = 2>
__global__ void instance_default_ok(T *g)
{
    for (int j = 0; j < STEP; j++) g[threadIdx.x * STEP + j] = threadIdx.x;
}

// [launch] The default is one too few for the loop.
//~ race
template <class T, int STEP = 2>
__global__ void instance_default_bad(T *g)
{
    for (int j = 0; j <= STEP; j++) g[threadIdx.x * STEP + j] = threadIdx.x; //~ here
}

// Dispatch over the block size: each instance has its own size.
//~ race-free
template <int BLOCK>
__global__ void instance_dispatch_ok(int *g)
{
    __shared__ int s[BLOCK];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    g[threadIdx.x] = s[BLOCK - 1 - threadIdx.x];
}

// [launch] With half the threads per element.
//~ race
template <int BLOCK>
__global__ void instance_dispatch_bad(int *g)
{
    __shared__ int s[BLOCK];
    s[threadIdx.x % BLOCK] = threadIdx.x; //~ here
    __syncthreads();
    g[threadIdx.x] = s[threadIdx.x % BLOCK];
}

// A functor type as parameter.
struct Keep { __device__ int operator()(int t) const { return t; } };
struct Drop { __device__ int operator()(int t) const { return t & ~1; } };

//~ race-free
template <class Op>
__global__ void instance_functor_ok(int *g, Op op)
{
    g[op(threadIdx.x)] = threadIdx.x;
}

// [launch] This functor sends neighbours to one place.
//~ race
template <class Op>
__global__ void instance_functor_bad(int *g, Op op)
{
    g[op(threadIdx.x)] = threadIdx.x; //~ here
}

void instance_host(int *g, float *f, double *d, int n)
{
    instance_deduced_ok<<<1, 64>>>(f);
    instance_deduced_bad<<<1, 64>>>(d);
    instance_default_ok<int><<<1, 64>>>(g);
    instance_default_bad<int><<<1, 64>>>(g);
    switch (n) {
    case 32: instance_dispatch_ok<32><<<1, 32>>>(g); break;
    case 64: instance_dispatch_ok<64><<<1, 64>>>(g); break;
    }
    instance_dispatch_bad<32><<<1, 64>>>(g);
    instance_functor_ok<<<1, 64>>>(g, Keep());
    instance_functor_bad<<<1, 64>>>(g, Drop());
}
