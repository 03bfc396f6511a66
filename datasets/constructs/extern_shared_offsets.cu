//--blockDim=64 --gridDim=1
// Construct: extern shared memory, divided by hand

// Three parts one after the other, of different element types.
//~ race-free
__global__ void extern_shared_offsets_ok(float *out)
{
    extern __shared__ float pool[];
    float *a = pool;
    int *b = (int *)(a + 64);
    char *c = (char *)&b[64];
    int t = threadIdx.x;
    a[t] = t;
    b[t] = t;
    c[t] = t;
    __syncthreads();
    out[t] = a[63 - t] + b[63 - t] + c[63 - t];
}

// [alias] The second part begins after 32 elements, the first has 64.
//~ race
__global__ void extern_shared_offsets_bad(float *out)
{
    extern __shared__ float pool[];
    float *a = pool;
    int *b = (int *)(a + 32);
    int t = threadIdx.x;
    a[t] = t; //~ here
    b[t] = t; //~ here
    __syncthreads();
    out[t] = a[63 - t] + b[63 - t];
}

// [alias] A size in elements was taken for a size in bytes: 64 bytes are 16 floats.
//~ race
__global__ void extern_shared_bytes_bad()
{
    extern __shared__ char raw[];
    float *a = (float *)raw;
    float *b = (float *)(raw + 64);
    int t = threadIdx.x;
    a[t] = t; //~ here
    b[t] = 2 * t + 1; //~ here
}

// The offset is a parameter that is large enough by assumption.
//~ race-free
__global__ void extern_shared_parameter_ok(int n)
{
    __requires(n >= 64 && n < 1000);
    extern __shared__ int part[];
    int t = threadIdx.x;
    part[t] = t;
    part[n + t] = t;
}

// [alias] Nothing is known about the parameter.
//~ race
__global__ void extern_shared_parameter_bad(int n)
{
    extern __shared__ int part[];
    int t = threadIdx.x;
    part[t] = t; //~ here
    part[n + t] = t; //~ here
}
