//--blockDim=64 --gridDim=1
// Extra: values of loop variables behind the loop

// [exit-value] The loop ends at the first number >= 100 of the form t + 32k: t and t + 32 end at the same.
//~ race
__global__ void exit_value_bad()
{
    __shared__ int s[256];
    int i;
    for (i = threadIdx.x; i < 100; i += 32) {
    }
    s[i] = threadIdx.x; //~ here
}

// With a step of 64 the residues modulo 64 differ.
//~ race-free
__global__ void exit_value_ok()
{
    __shared__ int s[256];
    int i;
    for (i = threadIdx.x; i < 100; i += 64) {
    }
    s[i] = threadIdx.x;
}

// [exit-value] A loop that runs zero times for the upper half leaves i at its start.
//~ race
__global__ void exit_zero_trips_bad()
{
    __shared__ int s[128];
    int i = threadIdx.x;
    while (i < 32) i += 32;
    s[i] = threadIdx.x; //~ here
}

// The step leads past all starts.
//~ race-free
__global__ void exit_zero_trips_ok()
{
    __shared__ int s[128];
    int i = threadIdx.x;
    while (i < 32) i += 64;
    s[i] = threadIdx.x;
}

// [exit-value] The loop is left by break at one of several places.
//~ race
__global__ void exit_by_break_bad(const int *q)
{
    __shared__ int s[128];
    int t = threadIdx.x, i;
    for (i = 0; i < 8; i++) {
        if (q[t + i] > 0) break;
    }
    s[t + i] = t; //~ here
}

// The place does not enter the index.
//~ race-free
__global__ void exit_by_break_ok(const int *q)
{
    __shared__ int s[128];
    int t = threadIdx.x, i;
    for (i = 0; i < 8; i++) {
        if (q[t + i] > 0) break;
    }
    s[t + (i > 8 ? 1 : 0)] = t;
}

// [exit-value] d is 1 behind the loop, and was 2 in its last iteration.
//~ race
__global__ void exit_last_step_bad(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x, d = 64;
    while (d > 1) {
        s[t % d] = t % d;
        d /= 2;
        __syncthreads();
    }
    s[t % d] = t; //~ here
    out[t] = d;
}
