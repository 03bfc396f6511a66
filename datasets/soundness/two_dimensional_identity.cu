//--blockDim=[8,8] --gridDim=1
// Row: injective in threadIdx.x, not in the thread

// [identity] Eight threads share each threadIdx.x.
//~ race
__global__ void two_dimensional_identity_bad()
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.y; //~ here
}

// Row and column together identify the thread.
//~ race-free
__global__ void two_dimensional_identity_ok()
{
    __shared__ int s[64];
    s[threadIdx.y * 8 + threadIdx.x] = threadIdx.y;
}
