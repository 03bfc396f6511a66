//--blockDim=64 --gridDim=1
// Accesses behind a barrier that only some threads reach: the races are told, as resting on all threads passing it.

// [behind] Divergence first, then a race of its own.
//~ race
__global__ void behind_race_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (t < n) __syncthreads(); //~ here
    out[t] = s[63 - t]; //~ here
    s[t] = 0; //~ here
}

// [behind] The race is between those that passed.
//~ race
__global__ void behind_passed_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < n) {
        __syncthreads(); //~ here
        s[t / 2] = t; //~ here
    }
}

// No divergence, no race.
//~ race-free
__global__ void behind_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    int x = s[63 - t];
    __syncthreads();
    if (t < n) s[t] = x;
}

// [before] What comes before the divergent barrier is certain.
//~ race
__global__ void before_race_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t / 2] = t; //~ here
    if (t < n) __syncthreads(); //~ here
}
