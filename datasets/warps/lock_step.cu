//--blockDim=64 --gridDim=1 --warp-sync=32
// Lock-step warps: within a warp only one instruction's writes, and diverged arms, conflict.

// One statement after the other.
//~ race-free
__global__ void step_statements_ok(int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
    s[t] += s[t ^ 1];
    out[t] = s[t ^ 3];
}

// [warp] The partner is in the other warp.
//~ race
__global__ void step_statements_bad(int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    out[t] = s[t ^ 32]; //~ here
}

// [warp] One instruction, two lanes, one element.
//~ race
__global__ void step_one_instruction_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t / 2] = t; //~ here
}

// The lanes of a pair write one value.
//~ race-free
__global__ void step_one_instruction_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t / 2] = t / 2;
}

// [porting] The arms of a branch have no order.
//~ race
__global__ void step_arms_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t % 2 == 0) s[t] = t; //~ here
    else out[t] = s[t - 1]; //~ here
}

// Behind the branch the arms have joined.
//~ race-free
__global__ void step_arms_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t % 2 == 0) s[t] = t;
    if (t % 2 == 1) out[t] = s[t - 1];
}

// [porting] An arm that ends in a return joins nowhere.
//~ race
__global__ void step_return_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t % 2 == 0) {
        s[t] = t; //~ here
        return;
    }
    out[t] = s[t - 1]; //~ here
}

// What comes before the return is in step.
//~ race-free
__global__ void step_return_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t % 2 == 0) return;
    out[t] = s[t - 1];
}

// The iterations of a loop are in step, too.
//~ race-free
__global__ void step_loop_ok(int n)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        int x = s[t ^ 1];
        s[t] = x + i;
    }
}

// [porting] In each iteration the arms have no order.
//~ race
__global__ void step_loop_bad(int n)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (t & 1) s[t] = i; //~ here
        else s[t + 1] = i + 1; //~ here
    }
}

// Lanes that have left the loop wait behind it.
//~ race-free
__global__ void step_trip_count_ok(int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < (t & 3); i++) s[t] = i;
    out[t] = s[t ^ 1];
}

// [porting] An inlined function that returns early, called in a branch.
__device__ int step_early(int *s, int t)
{
    if (t & 1) {
        s[t] = t; //~ here
        return 0;
    }
    return s[t + 1]; //~ here
}

//~ race
__global__ void step_callee_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    out[t] = step_early(s, t);
}

// [porting] A `break` takes its lanes away while the others go on.
//~ race
__global__ void step_break_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (i == (t & 1)) {
            s[t] = i; //~ here
            break;
        }
        out[t] = s[t ^ 1]; //~ here
    }
}

// [porting] The cases of a switch have no order.
//~ race
__global__ void step_switch_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    switch (t & 1) {
    case 0: s[t] = t; break; //~ here
    default: out[t] = s[t - 1]; break; //~ here
    }
}

// Atomics of one instruction are no race.
//~ race-free
__global__ void step_atomic_ok(int *out)
{
    int t = threadIdx.x;
    atomicAdd(&out[t / 32], 1);
}

// [warp] A plain increment of one instruction loses all but one.
//~ race
__global__ void step_increment_bad(int *out)
{
    int t = threadIdx.x;
    out[t / 32] += t; //~ here
}

// [porting] A `continue` takes its lanes to the next iteration, which is where all meet.
//~ race
__global__ void step_continue_bad(int *out, int n)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (t & 1) {
            s[t] = i; //~ here
            continue;
        }
        out[t] = s[t + 1]; //~ here
    }
}

// Who has continued waits there for the others.
//~ race-free
__global__ void step_continue_ok(int *out, int n)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = i;
        if (t & 1) continue;
        out[t] = s[t + 1];
    }
}
