//--blockDim=64 --gridDim=2
// Extra: threads that end the launch

// A block that ends does not store.
//~ race-free
__global__ void ended_ok(int *g, int n)
{
    if (n < 64) __trap();
    g[blockIdx.x * 1024 + threadIdx.x % n] = threadIdx.x;
}

// [condition] The other way round.
//~ race
__global__ void ended_bad(int *g, int n)
{
    if (n >= 64) __trap();
    g[blockIdx.x * 1024 + threadIdx.x % n] = threadIdx.x; //~ here
}

// [before] What was stored before stays.
//~ race
__global__ void ended_before_bad(int *g, int n)
{
    g[0] = threadIdx.x; //~ here
    if (n < 64) __trap();
}

// [one-thread] One thread ends: the others go on.
//~ race
__global__ void ended_one_bad(int *g)
{
    if (threadIdx.x == 0) __trap();
    g[0] = threadIdx.x; //~ here
}

// One block ends, and the other is alone.
//~ race-free
__global__ void ended_block_ok(int *g)
{
    if (blockIdx.x == 0) __trap();
    g[threadIdx.x] = threadIdx.x;
}

// [block] The threads of the other block.
//~ race
__global__ void ended_block_bad(int *g)
{
    if (blockIdx.x == 0) __trap();
    g[threadIdx.x / 2] = threadIdx.x; //~ here
}

// A barrier behind it.
//~ race-free
__global__ void ended_barrier_ok(int *g, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (n < 64) abort();
    __syncthreads();
    g[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

__device__ void check(bool holds)
{
    if (!holds) __trap();
}

__device__ int checked(int i, int n)
{
    if (i >= n) { printf("out of range"); __trap(); }
    return i;
}

// Where only some threads end, those do not store.
//~ race-free
__global__ void ended_some_ok(int *g)
{
    if (threadIdx.x >= 32) __trap();
    g[blockIdx.x * 32 + threadIdx.x % 32] = threadIdx.x;
}

// [other-threads] The others do.
//~ race
__global__ void ended_some_bad(int *g)
{
    if (threadIdx.x >= 48) __trap();
    g[blockIdx.x * 32 + threadIdx.x % 32] = threadIdx.x; //~ here
}

// In a function.
//~ race-free
__global__ void ended_called_ok(int *g)
{
    check(threadIdx.x < 32);
    g[blockIdx.x * 32 + threadIdx.x % 32] = threadIdx.x;
}

// [before] What was stored before the function was called stays.
//~ race
__global__ void ended_called_bad(int *g)
{
    g[blockIdx.x * 32 + threadIdx.x % 32] = threadIdx.x; //~ here
    check(threadIdx.x < 32);
}

// An index that is checked.
//~ race-free
__global__ void ended_index_ok(int *g, int n)
{
    if (n <= 64)
        g[blockIdx.x * n + checked(threadIdx.x, n)] = threadIdx.x;
}

// [limit] By another number.
//~ race
__global__ void ended_index_bad(int *g, int n, int limit)
{
    if (n <= 64)
        g[blockIdx.x * n + checked(threadIdx.x, limit)] = threadIdx.x; //~ here
}

// A barrier behind it: a launch that ends waits for nobody.
//~ race-free
__global__ void ended_waits_ok(int *g)
{
    __shared__ int s[64];
    if (threadIdx.x == 63) __trap();
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    g[blockIdx.x * 64 + threadIdx.x] = s[62 - threadIdx.x];
}

// [no-trap] Threads that leave are not waited for, and what they stored is read.
//~ race
__global__ void ended_leaves_bad(int *g)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    if (threadIdx.x == 63) return;
    g[blockIdx.x * 64 + threadIdx.x] = s[62 - threadIdx.x]; //~ here
}

// [round] A round before that in which it ends.
//~ race
__global__ void ended_round_bad(int *g, int n)
{
    for (int i = 0; i < n; i++) {
        g[blockIdx.x] = threadIdx.x + i; //~ here
        if (i == 1) __trap();
    }
}

// [round] A round behind that in which some end.
//~ race
__global__ void ended_later_bad(int *g, int n)
{
    for (int i = 0; i < n; i++) {
        if (i == 1 && threadIdx.x > 2) __trap();
        if (i == 2) g[blockIdx.x] = threadIdx.x; //~ here
    }
}

// Behind the round in which all but one end.
//~ race-free
__global__ void ended_later_ok(int *g, int n)
{
    for (int i = 0; i < n; i++) {
        if (i == 1 && threadIdx.x > 0) __trap();
        if (i == 2) g[blockIdx.x] = threadIdx.x;
    }
}

// [branch] In one branch only.
//~ race
__global__ void ended_branch_bad(int *g, int n)
{
    if (n > 3) {
        if (threadIdx.x > 0) abort();
    }
    g[blockIdx.x] = threadIdx.x; //~ here
}

// [breakpoint] A breakpoint goes on.
//~ race
__global__ void ended_breakpoint_bad(int *g)
{
    if (threadIdx.x > 0) __brkpt();
    g[blockIdx.x] = threadIdx.x; //~ here
}

// [divergence] A barrier that one of those who go on passes by.
//~ divergence
__global__ void ended_divergence_bad(int *g)
{
    if (threadIdx.x > 32) __trap();
    if (threadIdx.x > 16) __syncthreads(); //~ here
    g[blockIdx.x * 64 + threadIdx.x] = 0;
}

__device__ int refused()
{
    __trap();
    return 0;
}

// A function that ends all who call it.
//~ race-free
__global__ void ended_refused_ok(int *g)
{
    g[blockIdx.x * 64 + threadIdx.x] = 1;
    g[0] = refused() + threadIdx.x;
}

// [before] What stands before it counts.
//~ race
__global__ void ended_refused_bad(int *g)
{
    g[0] = threadIdx.x; //~ here
    g[1] = refused() + threadIdx.x;
}

// All but one have ended in the round of their own.
//~ race-free
__global__ void ended_rounds_ok(int *g)
{
    for (int i = 0; i < 4; i++)
        if (threadIdx.x >= i) __trap();
    g[0] = threadIdx.x;
}
