//--blockDim=64 --gridDim=1
// Construct: device functions by reference

__device__ void advance(int &i, int by) { i += by; }
__device__ void clear(int &i) { i = 0; }
__device__ void put(int &slot, int v) { slot = v; }
__device__ void put_first(int &slot, int v) { slot = v; } //~ here

// i moves by a block's width each time.
//~ race-free
__global__ void device_by_reference_ok()
{
    __shared__ int s[256];
    int i = threadIdx.x;
    s[i] = 1;
    advance(i, 64);
    s[i] = 2;
    advance(i, 64);
    put(s[i], 3);
}

// [index] i is 0 in all threads after the call.
//~ race
__global__ void device_by_reference_bad()
{
    __shared__ int s[256];
    int i = threadIdx.x;
    clear(i);
    s[i] = threadIdx.x; //~ here
}

// [alias] The reference names one element for all.
//~ race
__global__ void device_reference_element_bad()
{
    __shared__ int s[256];
    put_first(s[0], threadIdx.x);
}
