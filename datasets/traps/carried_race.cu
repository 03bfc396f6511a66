//--blockDim=64 --gridDim=1
// Trap: loops taken as one arbitrary iteration

// [carried] Each iteration alone is race-free: the barrier stands between write and read.
// The read at the end of one iteration meets the write at the start of the next.
//~ race
__global__ void carried_race_bad(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++) {
        s[t] = g[i * 64 + t]; //~ here
        __syncthreads();
        sum += s[(t + 1) & 63]; //~ here
    }
    out[t] = sum;
}

// A barrier closes the iteration.
//~ race-free
__global__ void carried_race_ok(const int *g, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++) {
        s[t] = g[i * 64 + t];
        __syncthreads();
        sum += s[(t + 1) & 63];
        __syncthreads();
    }
    out[t] = sum;
}

// [carried] No barrier at all: thread 1 in iteration 0 and thread 0 in iteration 1 write the same element.
//~ race
__global__ void carried_write_bad(int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int i = 0; i < 64 && i < n; i++) s[t + i] = t; //~ here
}

// Two buffers in turn need one barrier only.
//~ race-free
__global__ void carried_two_buffers_ok(const int *g, int *out, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++) {
        s[i & 1][t] = g[i * 64 + t];
        __syncthreads();
        sum += s[i & 1][(t + 1) & 63];
    }
    out[t] = sum;
}
