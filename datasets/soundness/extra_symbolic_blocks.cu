// Extra: sizes that no header fixes

// [launch] The barrier runs in blocks of 64 only.
//~ race
__global__ void symbolic_half_bad(int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (blockDim.x == 64) __syncthreads();
    out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t]; //~ here
}

// The barrier runs in every launch.
//~ race-free
__global__ void symbolic_half_ok(int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = t;
    if (blockDim.x > 0) __syncthreads();
    out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}

// [launch] h rounds up: in a block of an odd size thread h - 1 is the middle one, and thread 0 reads the element h - 1
// that it writes.
//~ race
__global__ void symbolic_odd_bad(int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x, h = (blockDim.x + 1) / 2;
    s[t] = t;
    __syncthreads();
    if (t < h) s[t] += s[t + blockDim.x / 2]; //~ here
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = s[t];
}

// Lower half reads the upper half.
//~ race-free
__global__ void symbolic_odd_ok(int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x, h = blockDim.x / 2;
    s[t] = t;
    __syncthreads();
    if (t < h) s[t] += s[t + h];
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = s[t];
}

// [launch] In a block of 32 threads both stores are of one thread; in any larger block they are of two.
//~ race
__global__ void symbolic_last_warp_bad()
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t == 31) s[0] = t; //~ here
    if (t == blockDim.x - 1) s[0] = t; //~ here
}

// Each warp's last lane has an element of its own.
//~ race-free
__global__ void symbolic_last_warp_ok()
{
    __shared__ int s[33];
    int t = threadIdx.x;
    if (t % 32 == 31) s[t / 32] = t;
    if (t == blockDim.x - 1) s[32] = t;
}
