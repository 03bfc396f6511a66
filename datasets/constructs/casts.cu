//--blockDim=300 --gridDim=1
// Construct: casts between integer types, and between pointer types

// Sixteen bits are enough for 300 threads.
//~ race-free
__global__ void casts_ok(int *g)
{
    int t = threadIdx.x;
    g[(unsigned short)t] = t;
    g[1024 + (long long)t] = t;
}

// [wrap] Eight bits are not: threads 0 and 256 get index 0.
//~ race
__global__ void casts_bad(int *g)
{
    int t = threadIdx.x;
    g[(unsigned char)t] = t; //~ here
}

// [wrap] A signed char is negative from 128 on: 300 threads get 256 indices.
//~ race
__global__ void casts_signed_bad(int *g)
{
    int t = threadIdx.x;
    signed char c = (signed char)t;
    g[128 + c] = t; //~ here
}

// The same, for the threads that fit.
//~ race-free
__global__ void casts_signed_ok(int *g)
{
    int t = threadIdx.x;
    signed char c = (signed char)t;
    if (t < 256) g[128 + c] = t;
}

// [width] The short pointer halves the distance: element t of shorts is inside element t/2 of ints.
//~ race
__global__ void casts_pointer_bad()
{
    __shared__ int s[300];
    int t = threadIdx.x;
    short *h = (short *)s;
    if (t < 150) s[t] = t; //~ here
    else h[t] = t; //~ here
}

// The shorts begin behind the ints.
//~ race-free
__global__ void casts_pointer_ok()
{
    __shared__ int s[300];
    int t = threadIdx.x;
    short *h = (short *)s;
    if (t < 75) s[t] = t;
    else h[75 + t] = t;
}
