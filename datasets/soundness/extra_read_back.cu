//--blockDim=64 --gridDim=2
// Extra: what a read finds that was written before, across barriers

// Each thread reads back its own slot.
//~ race-free
__global__ void read_back_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 63 - t;
    __syncthreads();
    g[blockIdx.x * 64 + s[t]] = t;
}

// [read-back] It reads the slot of another thread, which is not its own: but all slots hold the same number.
//~ race
__global__ void read_back_other_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 7;
    __syncthreads();
    g[blockIdx.x * 64 + s[63 - t]] = t; //~ here
}

// [read-back] Only half of the slots are written; the others hold anything.
//~ race
__global__ void read_back_half_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) s[t] = t;
    __syncthreads();
    g[blockIdx.x * 64 + s[t]] = t; //~ here
}

// The half that wrote reads.
//~ race-free
__global__ void read_back_half_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) s[t] = t;
    __syncthreads();
    if (t < 32) g[blockIdx.x * 64 + s[t]] = t;
}

// [read-back] Between write and read others write the slots, two barriers keep it in order.
//~ race
__global__ void read_back_rotated_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    s[(t + 1) % 64] = t / 2;
    __syncthreads();
    g[blockIdx.x * 64 + s[t]] = t; //~ here
}

// [read-back] The loop writes the slot before it is read again.
//~ race
__global__ void read_back_in_loop_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        g[(blockIdx.x * 2 + i) * 64 + s[t]] = t; //~ here
        __syncthreads();
        s[63 - t] = 5;
        __syncthreads();
    }
}

// Nobody writes in the loop.
//~ race-free
__global__ void read_back_in_loop_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        g[(blockIdx.x * 2 + i) * 64 + s[t]] = t;
        __syncthreads();
    }
}

// The first thread tells the block where its part begins.
//~ race-free
__global__ void read_back_base_ok(int *g)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = blockIdx.x * 64;
    __syncthreads();
    g[base + t] = t;
}

// [read-back] The part begins where a block before it has its own, half of the way.
//~ race
__global__ void read_back_base_half_bad(int *g)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = blockIdx.x * 32;
    __syncthreads();
    g[base + t] = t; //~ here
}

// [read-back] The box is written only where the input says so.
//~ race
__global__ void read_back_base_unset_bad(const int *q, int *g)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0 && q[blockIdx.x] > 0) base = blockIdx.x * 64;
    __syncthreads();
    g[base + t] = t; //~ here
}

// [read-back] A thread that is not there would write the box.
//~ race
__global__ void read_back_base_nobody_bad(int *g)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 64) base = blockIdx.x * 64;
    __syncthreads();
    g[base + t] = t; //~ here
}

// [read-back] The box is in global memory, where the blocks overwrite each other.
//~ race
__global__ void read_back_base_global_bad(int *box, int *g)
{
    int t = threadIdx.x;
    if (t == 0) box[0] = blockIdx.x * 64; //~ here
    __syncthreads();
    g[box[0] + t] = t; //~ here
}

// [read-back] Who writes is decided by the input: a thread that did not write reads what another one wrote.
//~ race
__global__ void read_back_chosen_bad(int *g, int n)
{
    __shared__ int s;
    int t = threadIdx.x;
    s = -1;
    __syncthreads();
    if (t == n) s = t;
    __syncthreads();
    g[blockIdx.x] = s + t; //~ here
}

// [read-back] Both arms write the box, the second one its own number.
//~ race
__global__ void read_back_arms_bad(int *g)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = blockIdx.x * 64; //~ here
    else if (t == 63) base = 3; //~ here
    __syncthreads();
    g[base + t] = t;
}
