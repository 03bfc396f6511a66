//--blockDim=64 --gridDim=1
// Construct: code for a newer architecture than the one that is taken where none is given

// Nothing is left of it for 700.
//~ race-free
__global__ void newer_alone_ok(int *a)
{
#if __CUDA_ARCH__ >= 800
    a[threadIdx.x] += 1;
#endif
}

// [index] Nor of this one.
//~ race
__global__ void newer_alone_bad(int *a)
{
#if __CUDA_ARCH__ >= 800
    a[threadIdx.x / 2] = threadIdx.x; //~ here
#endif
}

// Each architecture has an index of its own.
//~ race-free
__global__ void each_its_own_ok(int *a)
{
#if __CUDA_ARCH__ >= 900
    a[threadIdx.x] = 1;
#else
    a[63 - threadIdx.x] = 1;
#endif
}

// [index] The code for the newer one is wrong.
//~ race
__global__ void each_its_own_bad(int *a)
{
#if __CUDA_ARCH__ >= 900
    a[threadIdx.x / 2] = threadIdx.x; //~ here
#else
    a[threadIdx.x] = 1;
#endif
}
