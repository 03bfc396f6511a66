//--blockDim=64 --gridDim=1
// Trap: false alarm on pointers to locals

__device__ void bump(int *p) { *p += 1; }
__device__ void bump_shared(int *p) { *p += 1; } //~ here

// The locals belong to one thread each, also when their address is passed on.
//~ race-free
__global__ void pointer_to_local_ok(int *out)
{
    int t = threadIdx.x;
    int v = t, a[4];
    int *p = &v;
    *p = 3;
    bump(&v);
    for (int i = 0; i < 4; i++) {
        int *q = a + i;
        *q = i;
        bump(q);
    }
    out[t] = v + a[t & 3];
}

// [pointer] The same callee on a shared object is a race.
//~ race
__global__ void pointer_to_shared_bad(int *out)
{
    __shared__ int v;
    int t = threadIdx.x;
    if (t == 0) v = 0;
    __syncthreads();
    bump_shared(&v);
    __syncthreads();
    out[t] = v;
}
