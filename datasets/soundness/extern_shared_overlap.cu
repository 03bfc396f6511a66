//--blockDim=64 --gridDim=1
// Row: all extern shared arrays start at the same address

// [alias] a and c are the same memory: thread 0 writes a[0], thread 63 reads c[0].
//~ race
__global__ void extern_shared_overlap_bad(int *out)
{
    extern __shared__ int a[], c[];
    int t = threadIdx.x;
    a[t] = t; //~ here
    out[t] = c[63 - t]; //~ here
}

// A barrier separates the write from the read.
//~ race-free
__global__ void extern_shared_overlap_ok(int *out)
{
    extern __shared__ int a[], c[];
    int t = threadIdx.x;
    a[t] = t;
    __syncthreads();
    out[t] = c[63 - t];
}

// The second array begins behind the first by hand.
//~ race-free
__global__ void extern_shared_offset_ok(int *out)
{
    extern __shared__ int a[];
    int *c = a + 64;
    int t = threadIdx.x;
    a[t] = t;
    out[t] = c[63 - t];
}
