//--blockDim=64 --gridDim=1
// Row: injective per iteration, not across

// [carried] s[t+1] in iteration 0 of thread t+1 is s[(t)+1] in iteration 1 of thread t.
//~ race
__global__ void injective_per_iteration_bad()
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) { s[t + i] = t; } //~ here
}

// Each iteration has a row of its own.
//~ race-free
__global__ void injective_per_iteration_ok()
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) { s[t + 64 * i] = t; }
}
