//--blockDim=64 --gridDim=1
// Extra: uniform at first, not later; and values that control flow makes non-uniform

// [divergence] u is 0 in all threads in iteration 0, and depends on the thread from iteration 1 on.
//~ divergence
__global__ void late_divergence_bad(int n)
{
    int t = threadIdx.x, u = 0;
    for (int i = 0; i < n; i++) {
        if (u) __syncthreads(); //~ here
        u = t & 1;
    }
}

// The next value is the same in all threads.
//~ race-free
__global__ void late_divergence_ok(int n)
{
    int u = 0;
    for (int i = 0; i < n; i++) {
        if (u) __syncthreads();
        u = i & 1;
    }
}

// [divergence] k has only constant values, but the branch that chooses depends on the thread.
//~ divergence
__global__ void joined_constant_bad()
{
    int k = 5;
    if (threadIdx.x & 1) k = 6;
    if (k == 5) __syncthreads(); //~ here
}

// Both arms assign the same constant.
//~ race-free
__global__ void joined_constant_ok()
{
    int k = 0;
    if (threadIdx.x & 1) k = 6;
    else k = 6;
    if (k == 6) __syncthreads();
}

// [divergence] c counts iterations, and their number depends on the thread.
//~ divergence
__global__ void counted_trips_bad()
{
    int c = 0;
    for (int i = threadIdx.x; i < 100; i += 16) c++;
    if (c == 3) __syncthreads(); //~ here
}

// Every thread counts four iterations.
//~ race-free
__global__ void counted_trips_ok()
{
    int c = 0;
    for (int i = threadIdx.x; i < 256; i += 64) c++;
    if (c == 4) __syncthreads();
}

// [divergence] The barriers in the two arms are different barriers.
//~ divergence
__global__ void barrier_in_both_arms_bad()
{
    if (threadIdx.x < 32) {
        __syncthreads(); //~ here
    } else {
        __syncthreads(); //~ here
    }
}
