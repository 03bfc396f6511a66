//--blockDim=64 --gridDim=1
// Row: another thread overwrote what the thread wrote

// [load] s[t] is 0 in every thread by now, so all write g[0].
// A stored value is remembered only while nobody else can write the element.
//~ race
__global__ void overwritten_load_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    s[63 - t] = 0;
    __syncthreads();
    g[s[t]] = t; //~ here
}

// The loaded value is stored, not used as an index.
//~ race-free
__global__ void overwritten_load_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    s[63 - t] = 0;
    __syncthreads();
    g[t] = s[t];
}

// Without the overwriting store each thread finds its own id: the loaded indices are distinct.
//~ race-free
__global__ void overwritten_load_kept_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    g[s[t]] = t;
}
