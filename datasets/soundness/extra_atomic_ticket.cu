//--blockDim=64 --gridDim=1
// Extra: tickets

// [atomic-slot] Two threads draw a ticket below 2.
//~ race
__global__ void ticket_bad()
{
    __shared__ int c, s[1];
    int t = threadIdx.x;
    if (t == 0) c = 0;
    __syncthreads();
    if (atomicAdd(&c, 1) < 2) s[0] = t; //~ here
}

// One thread draws ticket 0.
//~ race-free
__global__ void ticket_ok()
{
    __shared__ int c, s[1];
    int t = threadIdx.x;
    if (t == 0) c = 0;
    __syncthreads();
    if (atomicAdd(&c, 1) == 0) s[0] = t;
}

// Each round begins with a counter of 0, and two barriers keep the rounds apart.
//~ race-free
__global__ void ticket_rounds_ok(int *out)
{
    __shared__ int c, s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        if (t == 0) c = 0;
        __syncthreads();
        s[atomicAdd(&c, 1)] = t;
        __syncthreads();
        out[i * 64 + t] = s[t];
    }
}

// [atomic-slot] The counter is set back while others still draw from the last round.
//~ race
__global__ void ticket_rounds_bad(int *out)
{
    __shared__ int c, s[128];
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        if (t == 0) c = 0; //~ here
        __syncthreads();
        s[i * 64 + (atomicAdd(&c, 1) & 63)] = t; //~ here
    }
    __syncthreads();
    out[t] = s[t] + s[64 + t];
}

// [atomic-slot] Half of the tickets: two neighbours draw the same pair.
//~ race
__global__ void ticket_pair_bad(int *c, int *out)
{
    out[atomicAdd(c, 1) / 2] = threadIdx.x; //~ here
}

// [atomic-slot] The steps are 1 and 2, depending on the thread: the slots overlap when two are used.
//~ race
__global__ void ticket_mixed_steps_bad(int *c, int *out)
{
    int t = threadIdx.x;
    int k = atomicAdd(c, 1 + (t & 1));
    out[k] = t; //~ here
    out[k + 1] = -t; //~ here
}

// [atomic-slot] atomicMax returns what was there: often the same number twice.
//~ race
__global__ void ticket_max_bad(int *c, int *out)
{
    int t = threadIdx.x;
    out[atomicMax(c, 7)] = t; //~ here
}
