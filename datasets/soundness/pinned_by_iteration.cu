//--blockDim=64 --gridDim=1
// Row: a guard that pins one thread pins another in the next iteration

// [carried] Thread 3 writes in its iteration 3 while thread 4 is in its iteration 4.
// "One thread only" holds for equal iterations.
//~ race
__global__ void pinned_by_iteration_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 64; i++)
        if (t == i) s[0] = t; //~ here
}

// The element moves with the iteration.
//~ race-free
__global__ void pinned_by_iteration_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 64; i++)
        if (t == i) s[i] = t;
}
