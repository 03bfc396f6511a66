//--blockDim=64 --gridDim=1
// Construct: while loops

// The step is blockDim, residues stay apart.
//~ race-free
__global__ void loop_while_ok(int *g, int n)
{
    int i = threadIdx.x;
    while (i < n) {
        g[i] = i;
        i += blockDim.x;
    }
}

// [carried] A step of one: all threads sweep the same elements.
//~ race
__global__ void loop_while_bad(int *g, int n)
{
    int i = threadIdx.x, t = threadIdx.x;
    while (i < n) {
        g[i] = t; //~ here
        i += 1;
    }
}

// [loop-condition] The last, failing evaluation of the condition reads c as well.
//~ race
__global__ void loop_while_condition_bad()
{
    __shared__ int c;
    int t = threadIdx.x, i = 0;
    if (t == 0) c = 4;
    __syncthreads();
    while (i < c) { //~ here
        __syncthreads();
        i++;
    }
    if (t == 0) c = 0; //~ here
}

// A barrier behind the loop separates the last evaluation from the store.
//~ race-free
__global__ void loop_while_condition_ok()
{
    __shared__ int c;
    int t = threadIdx.x, i = 0;
    if (t == 0) c = 4;
    __syncthreads();
    while (i < c) {
        __syncthreads();
        i++;
    }
    __syncthreads();
    if (t == 0) c = 0;
}
