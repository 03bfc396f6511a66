//--blockDim=64 --gridDim=1
// Trap: calls to unknown functions dropped

__device__ void shuffle_elements(int *p);
__device__ int opaque_rank(int t);

__device__ void reverse_elements(int *p)
{
    int t = threadIdx.x;
    int v = p[63 - t];
    __syncthreads();
    p[t] = v;
}

// The unknown body may read or write any element while other threads still store theirs.
//~ unknown
__global__ void unknown_call_dropped_bad()
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    shuffle_elements(s);
}

// [unknown-name] The unknown rank may be the same for two threads.
//~ race
__global__ void unknown_rank_bad(int *out)
{
    out[opaque_rank(threadIdx.x)] = threadIdx.x; //~ here
}

// The body is in the file, and barriers stand round its reads.
//~ race-free
__global__ void known_call_ok()
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    reverse_elements(s);
}
