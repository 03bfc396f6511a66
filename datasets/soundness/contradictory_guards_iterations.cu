//--blockDim=64 --gridDim=1
// Row: contradictory guards of different iterations

// [carried] One thread reads in iteration 0 while another writes in iteration 1.
// Guards contradict each other only for the same iteration.
//~ race
__global__ void contradictory_guards_iterations_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < 2; i++) {
        if (i & 1) s[t] = i; //~ here
        else x = s[63 - t]; //~ here
    }
    out[t] = x;
}

// The barrier aligns the iterations.
//~ race-free
__global__ void contradictory_guards_iterations_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < 2; i++) {
        if (i & 1) s[t] = i;
        else x = s[63 - t];
        __syncthreads();
    }
    out[t] = x;
}
