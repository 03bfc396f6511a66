//--blockDim=64 --gridDim=1
// Construct: local arrays, private to the thread

// The same elements of a in every thread: no sharing.
//~ race-free
__global__ void local_array_ok(const int *g, int *out)
{
    int a[4];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) a[i] = g[i];
    a[0] += a[3];
    out[t] = a[t & 3];
}

// [index] The index comes from a local array whose elements are all 0.
//~ race
__global__ void local_array_bad(int *out)
{
    int a[4] = {0, 0, 0, 0};
    int t = threadIdx.x;
    out[a[t & 3]] = t; //~ here
}

// The local array hides the shared one of the same name.
//~ race-free
__global__ void local_array_shadow_ok(int *out)
{
    __shared__ int s[4];
    int t = threadIdx.x;
    if (t < 4) s[t] = t;
    {
        int s[4];
        s[0] = t;
        out[t] = s[0];
    }
}

// [shadow] The shared array hides the local one of the same name.
//~ race
__global__ void local_array_shadow_bad()
{
    int s[4];
    int t = threadIdx.x;
    s[0] = t;
    {
        __shared__ int s[4];
        s[0] = t; //~ here
    }
    s[1] = t;
}
