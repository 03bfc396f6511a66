//--blockDim=64 --gridDim=1
// Construct: switch with fall-through and default

// Every case writes into a column of its own.
//~ race-free
__global__ void switch_cases_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    switch (t & 3) {
    case 0: s[t] = 0; break;
    case 1: s[t] = 1; break;
    case 2: s[t] = 2; break;
    default: s[t] = 3; break;
    }
}

// [guard] Case 1 falls through into case 2: s[t+1] belongs to the neighbour.
//~ race
__global__ void switch_fall_through_bad()
{
    __shared__ int s[65];
    int t = threadIdx.x;
    switch (t & 3) {
    case 1: s[t] = 1;
    case 2: s[t + 1] = 2; break; //~ here
    case 3: s[t] = 3; break; //~ here
    default: break;
    }
}

// The same with the break in place.
//~ race-free
__global__ void switch_fall_through_ok()
{
    __shared__ int s[65];
    int t = threadIdx.x;
    switch (t & 3) {
    case 1: s[t] = 1; break;
    case 2: s[t] = 2; break;
    case 3: s[t] = 3; break;
    default: break;
    }
}

// [divergence] A barrier in one case.
//~ divergence
__global__ void switch_barrier_bad()
{
    switch (threadIdx.x & 1) {
    case 0: __syncthreads(); break; //~ here
    default: break;
    }
}

// The switch value is the same in all threads.
//~ race-free
__global__ void switch_barrier_ok(int *out, int mode)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    switch (mode) {
    case 0: __syncthreads(); out[t] = s[63 - t]; break;
    case 1: out[t] = s[t]; break;
    default: break;
    }
}

// [guard] Mode 1 has no barrier before the mirrored read.
//~ race
__global__ void switch_mode_bad(int *out, int mode)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    switch (mode) {
    case 0: __syncthreads();
    case 1: out[t] = s[63 - t]; break; //~ here
    default: break;
    }
}
