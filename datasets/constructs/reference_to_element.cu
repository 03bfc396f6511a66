//--blockDim=64 --gridDim=1
// Construct: C++ references to elements and scalars

// r names the thread's own element.
//~ race-free
__global__ void reference_to_element_ok()
{
    __shared__ int s[64];
    int &r = s[threadIdx.x];
    r = threadIdx.x;
    r += 1;
}

// [alias] r names one element for all threads.
//~ race
__global__ void reference_to_element_bad()
{
    __shared__ int s[64];
    int &r = s[0];
    r = threadIdx.x; //~ here
}

// [alias] r was bound with the old value of i: changing i does not move it.
//~ race
__global__ void reference_bound_once_bad()
{
    __shared__ int s[64];
    int i = 0;
    int &r = s[i];
    i = threadIdx.x;
    r = i; //~ here
}
