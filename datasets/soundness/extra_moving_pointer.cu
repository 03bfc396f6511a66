//--blockDim=64 --gridDim=1
// Extra: pointers that move, are compared, or alias through a cast

// [pointer] p advances by one element in each iteration, q stays: p meets the neighbour's q.
//~ race
__global__ void moving_pointer_bad(int *out, int n)
{
    __shared__ int s[128];
    int *p = s + threadIdx.x;
    int *q = p;
    for (int i = 0; i < n && i < 64; i++) p++;
    *p = 1; //~ here
    out[threadIdx.x] = *q; //~ here
}

// p comes back to where it began.
//~ race-free
__global__ void moving_pointer_ok(int *out, int n)
{
    __shared__ int s[128];
    int *p = s + threadIdx.x;
    int *q = p;
    for (int i = 0; i < n && i < 64; i++) p++;
    for (int i = 0; i < n && i < 64; i++) p--;
    *p = 1;
    out[threadIdx.x] = *q;
}

// [width] Shorts and bytes of the same array: byte 2t + 2 is in short t + 1.
//~ race
__global__ void short_and_byte_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    short *h = (short *)s;
    char *c = (char *)s;
    if (t < 32) h[t] = t + 256; //~ here
    else c[2 * (t - 32) + 2] = t; //~ here
}

// Bytes behind all shorts.
//~ race-free
__global__ void short_and_byte_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    short *h = (short *)s;
    char *c = (char *)s;
    if (t < 32) h[t] = t + 256;
    else c[2 * (t - 32) + 64] = t;
}

// [width] The atomic covers eight bytes, the other one the upper four of them.
//~ race
__global__ void atomic_ranges_bad()
{
    __shared__ __align__(8) int s[2];
    int t = threadIdx.x;
    if (t < 32) atomicAdd((unsigned long long *)s, 1ull); //~ here
    else atomicAdd(&s[1], 1); //~ here
}

// Atomics of the same four bytes.
//~ race-free
__global__ void atomic_ranges_ok()
{
    __shared__ __align__(8) int s[2];
    int t = threadIdx.x;
    if (t < 32) atomicAdd((int *)s + 1, 1);
    else atomicAdd(&s[1], 1);
}
