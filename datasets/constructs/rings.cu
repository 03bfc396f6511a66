//--blockDim=64 --gridDim=2
// Buffers that are used in turn: a counter that begins again

// Three buffers, one barrier a round.
//~ race-free
__global__ void ring_ok(int *out, int n)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, at = 0;
    for (int i = 0; i < n; i++) {
        s[at][t] = i;
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[at][63 - t];
        if (++at == 3) at = 0;
    }
}

// [one-buffer] It begins again at once.
//~ race
__global__ void ring_one_bad(int *out, int n)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, at = 0;
    for (int i = 0; i < n; i++) {
        s[at][t] = i; //~ here
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[at][63 - t]; //~ here
        if (++at == 1) at = 0;
    }
}

// Two buffers are enough.
//~ race-free
__global__ void ring_two_ok(int *out, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, at = 0;
    for (int i = 0; i < n; i++) {
        s[at][t] = i;
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[at][63 - t];
        at = at == 1 ? 0 : at + 1;
    }
}

// The next is filled while one is read.
//~ race-free
__global__ void ring_ahead_ok(int *out, int n)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, at = 0, next = 1;
    s[0][t] = t;
    for (int i = 0; i < n; i++) {
        s[next][t] = i;
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[at][63 - t];
        if (++at >= 3) at = 0;
        if (++next > 2) next = 0;
    }
}

// [distance] Both at one place.
//~ race
__global__ void ring_ahead_bad(int *out, int n)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, at = 0, next = 1;
    s[0][t] = t;
    for (int i = 0; i < n; i++) {
        s[next][t] = i; //~ here
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[at][63 - t]; //~ here
        if (++at >= 2) at = 0;
        if (++next > 1) next = 0;
    }
}

// Begun where the number of the block says.
//~ race-free
__global__ void ring_begun_ok(int *out, int n)
{
    __shared__ int s[4][64];
    int t = threadIdx.x, at = blockIdx.x % 4;
    for (int i = 0; i < n; i++) {
        s[at][t] = i;
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[at][63 - t];
        at++;
        if (at == 4) at = 0;
    }
}

// [start] Begun at different places, threads meet.
//~ race
__global__ void ring_begun_bad(int *out, int n)
{
    __shared__ int s[4][64];
    int t = threadIdx.x, at = threadIdx.x % 4;
    for (int i = 0; i < n; i++) {
        s[at][t / 4] = i * t; //~ here
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[at][t / 4]; //~ here
        at++;
        if (at == 4) at = 0;
    }
}

// [beyond] Begun behind the end, it does not begin again.
//~ race-free
__global__ void ring_beyond_ok(int *out, int n)
{
    __shared__ int s[64][64];
    int t = threadIdx.x, at = 4;
    for (int i = 0; i < 60; i++) {
        s[at][t] = i;
        out[(blockIdx.x * 64 + at) * 64 + t] = i;
        if (++at == 4) at = 0;
    }
}

// [period] Rounds that are as many apart as there are buffers use the same, and the barrier stands in every fourth only.
//~ race
__global__ void ring_period_bad(int *out, int n)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, at = 0;
    for (int i = 0; i < n; i++) {
        s[at][(t + i) % 64] = t; //~ here
        if (i % 4 == 3) __syncthreads();
        if (++at == 3) at = 0;
    }
}

// Rounds between two barriers use different ones.
//~ race-free
__global__ void ring_period_ok(int *out, int n)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, at = 0;
    for (int i = 0; i < n; i++) {
        s[at][(t + i) % 64] = t;
        if (i % 3 == 2) __syncthreads();
        if (++at == 3) at = 0;
    }
}
