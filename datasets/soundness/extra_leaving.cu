//--blockDim=64 --gridDim=1
// Extra: branches that are left for several targets

// [mixed] Of the even threads some leave the switch and go on, where the others leave the kernel.
//~ race
__global__ void leaving_switch_or_kernel_bad(int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    switch (t % 2) {
    case 0:
        if (n > 0) break;
        else return;
    default:
        return;
    }
    s[t / 4] = t; //~ here
}

// They write elements of their own.
//~ race-free
__global__ void leaving_switch_or_kernel_ok(int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    switch (t % 2) {
    case 0:
        if (n > 0) break;
        else return;
    default:
        return;
    }
    s[t / 2] = t;
}

// [mixed] The even threads leave the switch or the iteration.
//~ race
__global__ void leaving_switch_or_iteration_bad(int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        switch (t % 2) {
        case 0:
            if (n > i) break;
            else continue;
        default:
            break;
        }
        if (t % 2 == 0) s[t / 4] = t; //~ here
    }
}

__device__ void wait_unless(int leave)
{
    switch (leave) {
    case 1:
        return;
    default:;
    }
    __syncthreads(); //~ here
}

// [return] The odd threads leave the function inside its switch, before the barrier.
//~ divergence
__global__ void leaving_function_bad(int *out)
{
    wait_unless(threadIdx.x % 2);
    out[threadIdx.x] = 1;
}

// All threads leave it, or none.
//~ race-free
__global__ void leaving_function_ok(int *out, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = n;
    wait_unless(n);
    out[threadIdx.x] = n == 1 ? n : s[63 - threadIdx.x];
}

__device__ void store_unless(int *s, int leave)
{
    switch (leave) {
    case 0: return;
    case 1: break;
    default: return;
    }
    s[threadIdx.x / 2] = leave;
}

// The even threads are gone.
//~ race-free
__global__ void leaving_store_ok()
{
    __shared__ int s[32];
    store_unless(s, threadIdx.x % 2);
}

// [mixed] Two labels: the threads of the first pass the second too.
//~ race
__global__ void leaving_labels_bad(int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, shift = 0;
    if (t % 2 == 0) {
        if (n > 0) goto first;
        goto second;
    }
    return;
first:
    shift = 1;
second:
    s[t / 4 + shift] = t; //~ here
}

// The jump out of the switch skips the store that the others make.
//~ race-free
__global__ void leaving_labels_ok(int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    switch (t % 4) {
    case 0: goto end;
    case 1:
        if (n > 0) goto end;
        break;
    default: return;
    }
    s[32 + t / 4] = t;
end:
    if (t % 4 == 0) s[t / 4] = t;
}

// [label] Half of the threads jump past the barrier.
//~ divergence
__global__ void leaving_barrier_bad(int *out)
{
    int t = threadIdx.x;
    if (t % 2) goto skip;
    __syncthreads(); //~ here
skip:
    out[t] = t;
}
