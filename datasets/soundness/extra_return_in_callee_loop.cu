//--blockDim=4 --gridDim=1
// Extra: a helper that returns from inside its loop

__device__ int first_only(int *s)
{
    for (int i = 3; i > 0; i--) {
        if (i > 1) return 1;
        s[0] = threadIdx.x;
    }
    return 0;
}

// Every thread returns in the first iteration: the store is never reached.
//~ race-free
__global__ void return_in_callee_loop_ok()
{
    __shared__ int s[4];
    first_only(s);
}

__device__ int last_only(int *s)
{
    for (int i = 3; i > 0; i--) {
        if (i > 3) return 1;
        s[0] = threadIdx.x; //~ here
    }
    return 0;
}

// [carried] Nobody returns, and all threads store.
//~ race
__global__ void return_in_callee_loop_bad()
{
    __shared__ int s[4];
    last_only(s);
}
