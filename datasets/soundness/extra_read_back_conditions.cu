//--blockDim=256 --gridDim=2
// Extra: what a thread reads back that it wrote under a condition

// Both arms write: the one value or the other.
//~ race-free
__global__ void read_back_arms_ok(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    if (n > 3)
        idx[t] = t;
    else
        idx[t] = 255 - t;
    s[idx[t]] = t;
}

// [read-back] The second value is that of two threads.
//~ race
__global__ void read_back_arms_bad(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    if (n > 3)
        idx[t] = t;
    else
        idx[t] = 255 - t / 2;
    s[idx[t]] = t; //~ here
}

// The arms are of the thread.
//~ race-free
__global__ void read_back_thread_arms_ok()
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    if (t < 128)
        idx[t] = 127 - t;
    else
        idx[t] = t;
    s[idx[t]] = t;
}

// [read-back] The values of one arm are those of the other.
//~ race
__global__ void read_back_thread_arms_bad()
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    if (t < 128)
        idx[t] = t;
    else
        idx[t] = t - 128;
    s[idx[t]] = t; //~ here
}

// One arm writes: the old value or the new one, of which the block has but one kind.
//~ race-free
__global__ void read_back_one_arm_ok(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    idx[t] = 255 - t;
    if (n > 3) idx[t] = t;
    s[idx[t]] = t;
}

// [read-back] Some threads have the old value, others the new one.
//~ race
__global__ void read_back_one_arm_bad(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    idx[t] = 255 - t;
    if (t < n) idx[t] = t;
    s[idx[t]] = t; //~ here
}

// All have the new one where it is used.
//~ race-free
__global__ void read_back_guarded_ok(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    idx[t] = 255 - t;
    if (t < n) idx[t] = t;
    if (n >= 256) s[idx[t]] = t;
}

// [read-back] Not where only most of them have it.
//~ race
__global__ void read_back_guarded_bad(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    idx[t] = 255 - t;
    if (t < n) idx[t] = t;
    if (n >= 200) s[idx[t]] = t; //~ here
}

// [read-back] Nothing was written where the condition does not hold.
//~ race
__global__ void read_back_nothing_bad(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    if (t < n) idx[t] = t;
    s[idx[t]] = t; //~ here
}

// A choice of three.
//~ race-free
__global__ void read_back_chain_ok(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    idx[t] = t;
    if (n > 1)
        idx[t] = 255 - t;
    else if (n < -3)
        idx[t] = t ^ 1;
    s[idx[t]] = t;
}

// [read-back] The third is one for all.
//~ race
__global__ void read_back_chain_bad(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    idx[t] = t;
    if (n > 1)
        idx[t] = 255 - t;
    else if (t > 3)
        idx[t] = 7;
    s[idx[t]] = t; //~ here
}

// [read-back] Another thread writes the element under the condition, and barriers keep it in order.
//~ race
__global__ void read_back_other_thread_bad(int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    idx[t] = t;
    __syncthreads();
    if (t < n) idx[255 - t] = 0;
    __syncthreads();
    s[idx[t]] = t; //~ here
}

// [read-back] The condition changes the element in an earlier iteration.
//~ race
__global__ void read_back_earlier_iteration_bad(const int *q, int n)
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    idx[t] = t;
    for (int i = 0; i < n; i++)
        if (q[i] > 3) idx[t] = 0;
    s[idx[t]] = t; //~ here
}

// [width] One byte of the element is written under the condition.
//~ race
__global__ void read_back_byte_bad()
{
    __shared__ int idx[256], s[256];
    int t = threadIdx.x;
    idx[t] = t;
    if (t & 1) ((char *)idx)[4 * t] = 1;
    s[idx[t]] = t; //~ here
}

// In global memory, each thread its own element.
//~ race-free
__global__ void read_back_global_ok(int *g, int *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < 7)
        g[i] = i;
    else
        g[i] = i + 9;
    h[g[i]] = i;
}

// [read-back] The arms are of the thread there, and their values meet.
//~ race
__global__ void read_back_global_bad(int *g, int *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        g[i] = i;
    else
        g[i] = i - 9;
    h[g[i]] = i; //~ here
}
