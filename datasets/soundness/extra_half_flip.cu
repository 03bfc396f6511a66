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

// A round that does not write does not flip, nor wait: each written round is one barrier and one flip.
//~ race-free
__global__ void flip_with_barrier_ok(const int *skip, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, p = 0;
    s[0][t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (skip[i]) continue;
        s[1 - p][t] = s[p][63 - t];
        __syncthreads();
        p = 1 - p;
    }
}

// The same written as a branch.
//~ race-free
__global__ void flip_in_branch_ok(const int *skip, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, p = 0;
    s[0][t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (skip[i] == 0) {
            s[1 - p][t] = s[p][63 - t];
            __syncthreads();
            p = !p;
        }
    }
}

// [double-buffer] A round that does not wait flips as well: the next writes the half that is read.
//~ race
__global__ void flip_without_barrier_bad(const int *skip, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, p = 0;
    s[0][t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s[1 - p][t] = s[p][63 - t]; //~ here
        p = 1 - p;
        if (skip[i]) continue;
        __syncthreads();
    }
}

// [double-buffer] Some rounds that write wait, others do not.
//~ race
__global__ void flip_with_some_barriers_bad(const int *mode, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (mode[i] == 1) {
            s[t] = i; //~ here
            __syncthreads();
        } else if (mode[i] == 2) {
            s[63 - t] = i; //~ here
        }
    }
}

// [double-buffer] Each thread has rounds of its own that it leaves out, and waits in others than its neighbours.
//~ race
__global__ void flip_of_thread_bad(const int *skip, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, p = 0;
    s[0][t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (skip[i * 64 + t] == 0) {
            s[1 - p][t] = s[p][63 - t]; //~ here
            p = 1 - p;
        }
        if (skip[i]) continue;
        __syncthreads();
    }
}

// A round that does not wait does not flip: it writes the same half again.
//~ fp_race-free
__global__ void flip_repeated_ok(const int *skip, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, p = 0;
    s[0][t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s[p ^ 1][t] = s[p][63 - t];
        if (skip[i]) continue;
        __syncthreads();
        p ^= 1;
    }
}
