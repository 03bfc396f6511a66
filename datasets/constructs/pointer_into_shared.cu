//--blockDim=64 --gridDim=1
// Construct: pointers into shared arrays, swapped and chosen

// The two halves are swapped as pointers, the same in all threads.
//~ race-free
__global__ void pointer_into_shared_ok(int *out, int n)
{
    __shared__ int s[128];
    int *from = s, *to = s + 64;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t];
        int *swap = from;
        from = to;
        to = swap;
        __syncthreads();
    }
    out[t] = from[t];
}

// [double-buffer] Only one of the pointers is changed: both are the same half after the first iteration.
//~ race
__global__ void pointer_into_shared_bad(int *out, int n)
{
    __shared__ int s[128];
    int *from = s, *to = s + 64;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t]; //~ here
        from = to;
        __syncthreads();
    }
    out[t] = from[t];
}

// The pointer depends on the thread: lower half to s, upper half to s + 32.
//~ race-free
__global__ void pointer_chosen_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int *p = t < 32 ? s : s + 32;
    p[t & 31] = t;
}

// [pointer] s + 16 lies inside the lower half's range.
//~ race
__global__ void pointer_chosen_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int *p = t < 32 ? s : s + 16;
    p[t & 31] = t; //~ here
}

// The pointer goes to shared memory in one half and to global memory in the other.
//~ race-free
__global__ void pointer_two_spaces_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int *p = t < 32 ? s : g;
    p[t & 31] = t;
}
