//--blockDim=64 --gridDim=1
// Row: one shared object for both calls of a helper

__device__ int mirror_unfenced(int v)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = v; //~ here
    __syncthreads();
    return s[63 - t]; //~ here
}

__device__ int mirror_fenced(int v)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    int r = s[63 - t];
    __syncthreads();
    return r;
}

// [scratch-reuse] The write of the second call meets the read of the first.
// A __shared__ variable is one object per block however often its function is inlined.
//~ race
__global__ void helper_scratch_twice_bad(int *out)
{
    int t = threadIdx.x;
    out[t] = mirror_unfenced(t) + mirror_unfenced(2 * t);
}

// The helper ends with a barrier, so the calls are separated.
//~ race-free
__global__ void helper_scratch_twice_ok(int *out)
{
    int t = threadIdx.x;
    out[t] = mirror_fenced(t) + mirror_fenced(2 * t);
}

// One call is harmless.
//~ race-free
__global__ void helper_scratch_once_ok(int *out)
{
    int t = threadIdx.x;
    out[t] = mirror_unfenced(t);
}
