//--blockDim=64 --gridDim=1
// Extra: a loop that ends by a shared flag

// [loop-condition] Thread 0 clears the flag while slow threads still evaluate the condition: some of them leave
// the loop, and the others wait at the barrier.
//~ race
__global__ void loop_flag_bad(int *g)
{
    __shared__ int go;
    int t = threadIdx.x, i = 0;
    if (t == 0) go = 1;
    __syncthreads();
    while (go) { //~ here
        g[t] += 1;
        i++;
        if (t == 0 && i == 3) go = 0; //~ here
        __syncthreads(); //~ here
    }
}

// A barrier between the test and the store.
//~ race-free
__global__ void loop_flag_ok(int *g)
{
    __shared__ int go;
    int t = threadIdx.x, i = 0;
    if (t == 0) go = 1;
    __syncthreads();
    while (go) {
        __syncthreads();
        g[t] += 1;
        i++;
        if (t == 0 && i == 3) go = 0;
        __syncthreads();
    }
}
