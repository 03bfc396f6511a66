//--blockDim=64 --gridDim=1
// Row: an unknown call or name is not uniform

#define KNOWN_LANE 5

__device__ int lane();
__device__ void touch(int *p);
__device__ int known_lane() { return 5; }

// [unknown-name] lane() may return t: all threads would write s[64]. Its result is a fresh value per call.
//~ race
__global__ void unknown_call_index_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[64 + t - lane()] = t; //~ here
}

// [unknown-name] LANE is not defined anywhere: it could be a macro for threadIdx.x.
//~ race
__global__ void unknown_name_index_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[64 + t - LANE] = t; //~ here
}

// touch() may write any element of s: an unknown body is never dropped.
//~ unknown
__global__ void unknown_callee_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    touch(s);
}

// The body is known and the same for all threads.
//~ race-free
__global__ void unknown_call_index_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[64 + t - known_lane()] = t;
}

// The name is a macro with a constant.
//~ race-free
__global__ void unknown_name_index_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[64 + t - KNOWN_LANE] = t;
}
