//--blockDim=64 --gridDim=1
// Construct: indices and guards read from memory

// [content] Nothing says that the values of idx are distinct.
//~ race
__global__ void data_dependent_scatter_bad(const int *idx, int *out)
{
    int t = threadIdx.x;
    out[idx[t]] = t; //~ here
}

// A gather writes the thread's own element.
//~ race-free
__global__ void data_dependent_gather_ok(const int *idx, const int *g, int *out)
{
    int t = threadIdx.x;
    out[t] = g[idx[t]];
}

// The data chooses between two elements of the thread's own.
//~ race-free
__global__ void data_dependent_choice_ok(const int *q, int *out)
{
    int t = threadIdx.x;
    out[2 * t + (q[t] > 0 ? 1 : 0)] = t;
}

// [content] The data chooses between the own and the next element.
//~ race
__global__ void data_dependent_choice_bad(const int *q, int *out)
{
    int t = threadIdx.x;
    out[t + (q[t] > 0 ? 1 : 0)] = t; //~ here
}

// The offset is the same in all threads.
//~ race-free
__global__ void data_dependent_offset_ok(const int *q, int *out)
{
    int t = threadIdx.x;
    out[t + q[0]] = t;
}
