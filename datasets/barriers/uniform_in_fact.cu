//--blockDim=64 --gridDim=2
// Conditions that speak of the thread and are the same for all of them; and some that only seem to be.

// All threads of the block satisfy it.
//~ race-free
__global__ void fact_bound_ok(int *out)
{
    int t = threadIdx.x;
    if (t < blockDim.x) __syncthreads();
    out[blockIdx.x * 64 + t] = t;
}

// [bound] All but one.
//~ divergence
__global__ void fact_bound_bad(int *out)
{
    int t = threadIdx.x;
    if (t < blockDim.x - 1) __syncthreads(); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// Rounded down to the block the position is one.
//~ race-free
__global__ void fact_rounded_ok(int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i / 64 == 0) __syncthreads();
    out[i] = i;
}

// [rounded] To the warp it is not.
//~ divergence
__global__ void fact_rounded_bad(int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i / 32 == 0) __syncthreads(); //~ here
    out[i] = i;
}

// The trip count is the same although the start differs.
//~ race-free
__global__ void fact_trip_count_ok(int *out)
{
    int t = threadIdx.x;
    for (int i = t; i < t + 5; i++) {
        __syncthreads();
        out[blockIdx.x * 64 + t] = i;
    }
}

// [trip-count] The bound grows twice as fast as the start.
//~ divergence
__global__ void fact_trip_count_bad(int *out)
{
    int t = threadIdx.x;
    for (int i = t; i < 2 * t + 5; i++) {
        __syncthreads(); //~ here
        out[blockIdx.x * 64 + t] = i;
    }
}

// A flag that one thread sets before a barrier.
//~ race-free
__global__ void fact_flag_ok(const int *in, int *out)
{
    __shared__ bool go;
    int t = threadIdx.x;
    if (t == 0) go = in[blockIdx.x] > 0;
    __syncthreads();
    if (go) {
        out[blockIdx.x * 64 + t] = 0;
        __syncthreads();
        out[blockIdx.x * 64 + 63 - t] = 1;
    }
}

// [flag] A flag for each thread.
//~ divergence
__global__ void fact_flag_bad(const int *in, int *out)
{
    __shared__ bool go[64];
    int t = threadIdx.x;
    go[t] = in[t] > 0;
    __syncthreads();
    if (go[t]) __syncthreads(); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// The count is one for the block, and ends the loop for all.
//~ race-free
__global__ void fact_count_ok(int *out)
{
    int t = threadIdx.x, i = 0;
    while (__syncthreads_count(i < t) > 0) {
        out[blockIdx.x * 64 + t] = i;
        i++;
    }
}

// [count] The thread's own condition ends it for some.
//~ divergence
__global__ void fact_count_bad(int *out)
{
    int t = threadIdx.x, i = 0;
    while (i < t) {
        __syncthreads_count(i); //~ here
        out[blockIdx.x * 64 + t] = i;
        i++;
    }
}

// A load that is the same for all, of memory that nobody writes.
//~ race-free
__global__ void fact_load_ok(const int *limits, int *out)
{
    int t = threadIdx.x;
    for (int i = 0; i < limits[blockIdx.x]; i++) {
        __syncthreads();
        out[blockIdx.x * 64 + t] = i;
    }
}

// [load] Each thread has its own limit.
//~ divergence
__global__ void fact_load_bad(const int *limits, int *out)
{
    int t = threadIdx.x;
    for (int i = 0; i < limits[t]; i++) {
        __syncthreads(); //~ here
        out[blockIdx.x * 64 + t] = i;
    }
}

// What a lane tells its warp is one for the warp.
//~ race-free
__global__ void fact_broadcast_ok(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int n = __shfl_sync(0xffffffffu, in[t], 0);
    for (int i = 0; i < n; i++) {
        s[t] = i;
        __syncwarp();
        out[blockIdx.x * 64 + t] = s[t ^ 1];
        __syncwarp();
    }
}

// [broadcast] And not one for the block.
//~ divergence
__global__ void fact_broadcast_bad(const int *in, int *out)
{
    int t = threadIdx.x;
    int n = __shfl_sync(0xffffffffu, in[t], 0);
    for (int i = 0; i < n; i++) {
        __syncthreads(); //~ here
        out[blockIdx.x * 64 + t] = i;
    }
}

// A flag that one thread sets, and that all read behind a barrier.
//~ race-free
__global__ void fact_shared_flag_ok(int *out, int n)
{
    __shared__ int flag;
    int t = threadIdx.x;
    if (t == 0) flag = n;
    __syncthreads();
    if (flag > 3)
        __syncthreads();
    out[blockIdx.x * 64 + t] = t;
}

// [flag] In front of it some may still see what was there before.
//~ race
__global__ void fact_shared_flag_bad(int *out, int n)
{
    __shared__ int flag;
    int t = threadIdx.x;
    if (t == 0) flag = n; //~ here
    if (flag > 3) //~ here
        __syncthreads(); //~ here
    out[blockIdx.x * 64 + t] = t;
}

// [flag] What was set behind the barrier.
//~ race
__global__ void fact_shared_flag_again_bad(int *out, int n)
{
    __shared__ int flag;
    int t = threadIdx.x;
    if (t == 0) flag = n;
    __syncthreads();
    if (t == 1) flag = 7; //~ here
    if (flag > 3) //~ here
        __syncthreads(); //~ here
    out[blockIdx.x * 64 + t] = t;
}
