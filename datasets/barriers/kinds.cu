//--blockDim=64 --gridDim=2
// The ways in which threads disagree about a barrier.

// [branch] Some threads take the branch.
//~ divergence
__global__ void kind_branch_bad(int *out, int n)
{
    int t = threadIdx.x;
    if (t < n) {
        __syncthreads(); //~ here
        out[blockIdx.x * 64 + t] = t;
    }
}

// The condition is one for the block.
//~ race-free
__global__ void kind_branch_ok(int *out, int n)
{
    int t = threadIdx.x;
    if (blockIdx.x < n) {
        __syncthreads();
        out[blockIdx.x * 64 + t] = t;
    }
}

// [continue] Some threads go on with the next iteration.
//~ divergence
__global__ void kind_continue_bad(int *out, int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (t % 2 == i % 2) continue;
        __syncthreads(); //~ here
        out[blockIdx.x * 64 + t] = i;
    }
}

// All threads of the block skip the same iterations.
//~ race-free
__global__ void kind_continue_ok(int *out, int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (blockIdx.x % 2 == i % 2) continue;
        __syncthreads();
        out[blockIdx.x * 64 + t] = i;
    }
}

// [trip-count] Threads go round a different number of times.
//~ divergence
__global__ void kind_trip_count_bad(int *out)
{
    int t = threadIdx.x;
    for (int i = t; i < 100; i += 64) {
        __syncthreads(); //~ here
        out[blockIdx.x * 64 + t] = i;
    }
}

// The last round is for all.
//~ race-free
__global__ void kind_trip_count_ok(int *out)
{
    int t = threadIdx.x;
    for (int i = t; i < 128; i += 64) {
        __syncthreads();
        out[blockIdx.x * 64 + t] = i;
    }
}

// [break] Some threads leave the loop early.
//~ divergence
__global__ void kind_break_bad(int *out, int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        __syncthreads(); //~ here
        if (i == t) break;
        out[blockIdx.x * 64 + t] = i;
    }
}

// They leave it together.
//~ race-free
__global__ void kind_break_ok(int *out, int n, int m)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        __syncthreads();
        if (i == m) break;
        out[blockIdx.x * 64 + t] = i;
    }
}

// [return] Some threads leave the kernel before the barrier.
//~ divergence
__global__ void kind_return_bad(int *out, int n)
{
    int t = threadIdx.x;
    if (t >= n) return;
    out[blockIdx.x * 64 + t] = t;
    __syncthreads(); //~ here
}

// A whole block leaves.
//~ race-free
__global__ void kind_return_ok(int *out, int n)
{
    int t = threadIdx.x;
    if (blockIdx.x >= n) return;
    out[blockIdx.x * 64 + t] = t;
    __syncthreads();
}

// [arms] Each arm has a barrier of its own.
//~ divergence
__global__ void kind_arms_bad(int *out)
{
    int t = threadIdx.x;
    if (t < 32) {
        __syncthreads(); //~ here
    } else {
        __syncthreads(); //~ here
    }
    out[blockIdx.x * 64 + t] = t;
}

// One arm for the whole block.
//~ race-free
__global__ void kind_arms_ok(int *out, int n)
{
    int t = threadIdx.x;
    if (n < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = t;
}

__device__ void kind_wait() { __syncthreads(); } //~ here

// [call] The barrier is in a function that some threads call.
//~ divergence
__global__ void kind_call_bad(int *out)
{
    int t = threadIdx.x;
    if (t % 4 == 0) kind_wait();
    out[blockIdx.x * 64 + t] = t;
}

// All threads call it.
//~ race-free
__global__ void kind_call_ok(int *out)
{
    int t = threadIdx.x;
    kind_wait();
    out[blockIdx.x * 64 + t] = t;
}

// [short-circuit] The right side of `&&` is evaluated by some.
//~ divergence
__global__ void kind_short_circuit_bad(int *out)
{
    int t = threadIdx.x;
    if (t < 10 && __syncthreads_or(t == 5)) out[blockIdx.x * 64 + t] = t; //~ here
}

// The left side is.
//~ race-free
__global__ void kind_short_circuit_ok(int *out)
{
    int t = threadIdx.x;
    if (__syncthreads_or(t == 5) && t < 10) out[blockIdx.x * 64 + t] = t;
}
