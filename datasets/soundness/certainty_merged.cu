// Certainty: one finding for two places of the source that meet in several intervals, or through several calls of one function

__device__ void step(int *s, int n)
{
    s[threadIdx.x] += s[threadIdx.x + n]; //~ here
}

// The second call races whatever n is.
//~ race confirmed
__global__ void step_then_certain_step_bad(int *g, int n)
{
    step(g, n);
    __syncthreads();
    step(g, 1);
}

// The same the other way round.
//~ race confirmed
__global__ void certain_step_then_step_bad(int *g, int n)
{
    step(g, 1);
    __syncthreads();
    step(g, n);
}

// Both have to be large: no condition on one of them says so.
//~ race conditional
__global__ void two_steps_bad(int n, int m)
{
    extern __shared__ int s[];
    step(s, n);
    __syncthreads();
    step(s, m);
}

// The condition is one for both.
//~ race conditional
__global__ void equal_steps_bad(int n)
{
    extern __shared__ int t[];
    step(t, n);
    __syncthreads();
    step(t, n);
}

// Rows of two widths, written by one function object.
//~ race
__global__ void rows_of_two_widths_bad(int *o, int w, int h)
{
    auto fill = [&](int width) { o[blockIdx.x * width + threadIdx.x] = blockIdx.x; }; //~ here
    fill(w);
    fill(h);
}

__device__ void meet(int n)
{
    if ((int)threadIdx.x < n)
        __syncthreads(); //~ here
}

// Blocks of more than n threads diverge, and blocks of more than 40.
//~ divergence
__global__ void meet_twice_bad(int n)
{
    meet(n);
    meet(40);
}

__device__ int look(int *o)
{
    return *o; //~ here
}

// What is looked at first is looked at again by the atomic operation, what is looked at then is kept.
//~ race
__global__ void look_then_keep_bad(int *o, const int *v, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (look(o) > v[i])
        atomicMin(o, v[i]); //~ here
    out[i] = look(o);
}
