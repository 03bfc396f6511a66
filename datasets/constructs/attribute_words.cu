//--blockDim=64 --gridDim=1
// Constructs: the words of CUDA as attributes, which is how headers for clang define them
#define ON_DEVICE __attribute__((device))
#define SHARED __attribute__((shared))

ON_DEVICE int mirrored(const int *s, int t) { return s[63 - t]; } //~ here

//~ race-free
__global__ void attribute_words_ok(int *g)
{
    SHARED int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    g[threadIdx.x] = mirrored(s, threadIdx.x);
}

// [attributes] The array is shared, and the barrier is missing.
//~ race
__global__ void attribute_words_bad(int *g)
{
    SHARED int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    g[threadIdx.x] = mirrored(s, threadIdx.x);
}
