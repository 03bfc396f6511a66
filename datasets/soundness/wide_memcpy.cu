//--blockDim=64 --gridDim=1
// Row: the access is wider than the element

// [width] Eight bytes from s[t] cover s[t+1] as well: the byte distance must be at least the access size.
//~ race
__global__ void wide_memcpy_bad(long long v)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    v += t;
    memcpy(&s[t], &v, 8); //~ here
}

// Two elements a thread.
//~ race-free
__global__ void wide_memcpy_ok(long long v)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    v += t;
    memcpy(&s[2 * t], &v, 8);
}
