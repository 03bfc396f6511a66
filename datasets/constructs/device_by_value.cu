//--blockDim=64 --gridDim=1
// Construct: device functions by value, with return values and nested calls

__device__ int twice(int v) { return 2 * v; }
__device__ int odd(int v) { return twice(v) + 1; }
__device__ int half(int v)
{
    if (v & 1) return v / 2;
    return v / 2;
}
__device__ int pick(int c, int a, int b)
{
    if (c > 0) {
        return a;
    } else if (c == 0) {
        return b;
    }
    return a + b;
}

// Even elements by the first call, odd ones by the second.
//~ race-free
__global__ void device_by_value_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[twice(t)] = t;
    s[odd(t)] = t;
}

// [index] Two threads get the same half.
//~ race
__global__ void device_by_value_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[half(t)] = t; //~ here
}

// Every return path gives an index of the thread's own residue class.
//~ race-free
__global__ void device_returns_ok(int c)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[pick(c, t, t + 64)] = t;
}

// [index] The third path gives 64 for all.
//~ race
__global__ void device_returns_bad(int c)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[pick(c, t, 64 - t)] = t; //~ here
}

// The parameter is a copy: changing it in the callee does not change t.
__device__ int spoil(int v)
{
    v = 0;
    return v;
}

//~ race-free
__global__ void device_copy_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int z = spoil(t);
    s[t] = z;
}

// [index] The returned value is 0 in every thread.
//~ race
__global__ void device_copy_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[spoil(t)] = t; //~ here
}
