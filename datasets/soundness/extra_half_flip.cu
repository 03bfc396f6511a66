//--blockDim=64 --gridDim=1
// Extra: double buffers that flip too seldom, too often, or one side only

// [double-buffer] p flips every other iteration: the write of iteration i+1 goes to the half that is still read.
//~ race
__global__ void half_flip_bad(int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, p = 0, x = 0;
    for (int i = 0; i < n; i++) {
        s[p * 64 + t] = i; //~ here
        __syncthreads();
        x += s[p * 64 + 63 - t]; //~ here
        if (i & 1) p = 1 - p;
    }
    out[t] = x;
}

// Flipping in every iteration leaves a barrier between each read and the next write to that half.
//~ race-free
__global__ void half_flip_ok(int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, p = 0, x = 0;
    for (int i = 0; i < n; i++) {
        s[p * 64 + t] = i;
        __syncthreads();
        x += s[p * 64 + 63 - t];
        p = 1 - p;
    }
    out[t] = x;
}

// [double-buffer] Two flips an iteration are none.
//~ race
__global__ void double_flip_bad(int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, p = 0, x = 0;
    for (int i = 0; i < n; i++) {
        s[p * 64 + t] = i; //~ here
        p ^= 1;
        __syncthreads();
        p ^= 1;
        x += s[p * 64 + 63 - t]; //~ here
    }
    out[t] = x;
}

// Three buffers in turn: index i % 3.
//~ race-free
__global__ void three_buffers_ok(int *out, int n)
{
    __shared__ int s[192];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[i % 3 * 64 + t] = i;
        __syncthreads();
        x += s[i % 3 * 64 + 63 - t];
    }
    out[t] = x;
}

// [double-buffer] The read two iterations back shares the half that is written now.
//~ race
__global__ void stale_half_bad(int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        s[(i & 1) * 64 + t] = i; //~ here
        x += s[((i + 2) & 1) * 64 + 63 - t]; //~ here
        __syncthreads();
    }
    out[t] = x;
}
