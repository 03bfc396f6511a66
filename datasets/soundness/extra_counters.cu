//--blockDim=64 --gridDim=4
// Extra: results of atomic counters. They differ as long as nothing else touches the counter, and only for one element.

// Slots of a row of the block: set to 0 by one thread, counted up by all, once each.
//~ race-free
__global__ void counter_row_ok(const int *g, int *out)
{
    __shared__ int used;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) used = 0;
    __syncthreads();
    if (g[i] > 0) out[blockIdx.x * 64 + atomicAdd(&used, 1)] = i;
}

// [counter] Each thread counts twice: 128 slots do not fit into a row of 64.
//~ race
__global__ void counter_row_twice_bad(const int *g, int *out)
{
    __shared__ int used;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) used = 0;
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        if (g[2 * i + k] > 0) out[blockIdx.x * 64 + atomicAdd(&used, 1)] = i; //~ here
    }
}

// The counter begins with 1: every row is moved by one.
//~ race-free
__global__ void counter_row_start_ok(const int *g, int *out)
{
    __shared__ int used;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) used = 1;
    __syncthreads();
    if (g[i] > 0) out[blockIdx.x * 64 + atomicAdd(&used, 1)] = i;
}

// [counter] The counter of even blocks begins in the middle of the row.
//~ race
__global__ void counter_row_start_bad(const int *g, int *out)
{
    __shared__ int used;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) used = blockIdx.x % 2 == 0 ? 32 : 0;
    __syncthreads();
    if (g[i] > 0) out[blockIdx.x * 64 + atomicAdd(&used, 1)] = i; //~ here
}

// [counter] Two sites count, so the slots reach into the next row.
//~ race
__global__ void counter_row_two_sites_bad(const int *g, int *out)
{
    __shared__ int used;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) used = 0;
    __syncthreads();
    if (g[i] > 0) out[blockIdx.x * 64 + atomicAdd(&used, 1)] = i; //~ here
    if (g[i] > 9) out[blockIdx.x * 64 + atomicAdd(&used, 1)] = -i; //~ here
}

// With rows of 128 they do not.
//~ race-free
__global__ void counter_row_two_sites_ok(const int *g, int *out)
{
    __shared__ int used;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) used = 0;
    __syncthreads();
    if (g[i] > 0) out[blockIdx.x * 128 + atomicAdd(&used, 1)] = i;
    if (g[i] > 9) out[blockIdx.x * 128 + atomicAdd(&used, 1)] = -i;
}

// [counter] Nobody sets the counter of the block: what it begins with is left from another kernel.
//~ race
__global__ void counter_row_unset_bad(const int *g, int *out)
{
    __shared__ int used;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (g[i] > 0) out[blockIdx.x * 64 + atomicAdd(&used, 1)] = i; //~ here
}

// [counter] Only blocks with a positive first element set their counter.
//~ race
__global__ void counter_row_set_sometimes_bad(const int *g, int *out)
{
    __shared__ int used;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0 && g[i] > 0) used = 0;
    __syncthreads();
    if (g[i] > 0) out[blockIdx.x * 64 + atomicAdd(&used, 1)] = i; //~ here
}

// [counter] Between two uses the counter is set back, with barriers around: the second use hands out the slots of the first.
//~ race
__global__ void counter_set_back_bad(const int *g, int *out)
{
    __shared__ int used, s[64];
    int t = threadIdx.x;
    if (t == 0) used = 0;
    __syncthreads();
    int first = atomicAdd(&used, 1);
    __syncthreads();
    if (t == 0) used = 0;
    __syncthreads();
    int second = atomicAdd(&used, 1);
    s[first] = t; //~ here
    s[second] = t + 64; //~ here
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[t];
}

// A barrier between the stores keeps the two rounds apart.
//~ race-free
__global__ void counter_set_back_ok(const int *g, int *out)
{
    __shared__ int used, s[64];
    int t = threadIdx.x;
    if (t == 0) used = 0;
    __syncthreads();
    int first = atomicAdd(&used, 1);
    __syncthreads();
    if (t == 0) used = 0;
    __syncthreads();
    int second = atomicAdd(&used, 1);
    s[first] = t;
    __syncthreads();
    s[second] = t + 64;
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[t];
}

// [counter] A result of the last round is used in this one, after the counter was set back.
//~ race
__global__ void counter_kept_slot_bad(int *out)
{
    __shared__ int used, s[64];
    int t = threadIdx.x, slot = t;
    for (int i = 0; i < 3; i++) {
        if (t == 0) used = 0;
        __syncthreads();
        int old = slot;
        slot = atomicAdd(&used, 1);
        if (t & 1) s[old] = t; //~ here
        else s[slot] = t; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s[t];
}

// [counter] Another kind of atomic takes back what was handed out.
//~ race
__global__ void counter_given_back_bad(int *count, int *out)
{
    int k = atomicAdd(count, 1);
    out[k] = threadIdx.x; //~ here
    atomicSub(count, 1);
}

// [counter] One element is counted up by threads, another by others; the slots are the same numbers.
//~ race
__global__ void counter_of_class_bad(const int *kind, int *count, int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    int k = atomicAdd(&count[kind[i]], 1);
    out[k] = i; //~ here
}

// One row per element of the counter.
//~ race-free
__global__ void counter_of_class_ok(int *count, int (*out)[1024])
{
    int i = blockIdx.x * 64 + threadIdx.x;
    int k = atomicAdd(&count[i % 4], 1);
    if (k >= 0 && k < 1024) out[i % 4][k] = i;
}

// [counter] The atomic is one of the block, and blocks share the counter: an increment may be lost, the slot come twice.
//~ race
__global__ void counter_of_block_scope_bad(int *count, int *out)
{
    int k = atomicAdd_block(count, 1); //~ here
    out[k] = threadIdx.x; //~ here
}

// Every draw reserves 64 slots, which are the block's.
//~ race-free
__global__ void counter_reserve_ok(const int *g, int *count, int *out)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = atomicAdd(count, 64);
    __syncthreads();
    out[base + t] = g[blockIdx.x * 64 + t];
}

// [counter] Reserved are 32, used 64.
//~ race
__global__ void counter_reserve_half_bad(const int *g, int *count, int *out)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t == 0) base = atomicAdd(count, 32);
    __syncthreads();
    out[base + t] = g[blockIdx.x * 64 + t]; //~ here
}

// [counter] All threads draw, and the box holds the draw of the first: it is not the own draw of those who read it.
//~ race
__global__ void counter_all_draw_bad(int *count, int *out)
{
    __shared__ int base;
    int t = threadIdx.x;
    int mine = atomicAdd(count, 1);
    if (t == 0) base = mine;
    __syncthreads();
    if (t == 1) out[mine] = t;
    if (t == 2) out[base] = t; //~ here
    if (t == 3) out[base] = t; //~ here
}

// [counter] Two warps draw for the block, the last one counts: the lanes of the first use the same draw as those of the second.
//~ race
__global__ void counter_two_draw_bad(int *count, int *out)
{
    __shared__ int base;
    int t = threadIdx.x;
    if (t % 32 == 0) base = atomicAdd(count, 32); //~ here
    __syncthreads();
    out[base + t % 32] = t; //~ here
}

// Work is drawn item by item until none is left: no item is drawn twice, so its row is the block's.
//~ race-free
__global__ void counter_queue_ok(const int *g, int *next, int *out, int items)
{
    __shared__ int item;
    int t = threadIdx.x;
    for (int round = 0; round < 8; round++) {
        if (t == 0) item = atomicAdd(next, 1);
        __syncthreads();
        if (item >= 0 && item < items && items < 1000) out[item * 64 + t] = g[item * 64 + t];
        __syncthreads();
    }
}

// [counter] The queue is set back by the block that finds it empty.
//~ race
__global__ void counter_queue_restart_bad(const int *g, int *next, int *out, int items)
{
    __shared__ int item;
    int t = threadIdx.x;
    for (int round = 0; round < 8; round++) {
        if (t == 0) {
            item = atomicAdd(next, 1);
            if (item == items) atomicExch(next, 0);
        }
        __syncthreads();
        if (item >= 0 && item < items && items < 1000) out[item * 64 + t] = g[item * 64 + t] + t + round * blockIdx.x; //~ here
        __syncthreads();
    }
}

// atomicInc with the full range counts as addition does.
//~ race-free
__global__ void counter_inc_ok(unsigned *count, int *out)
{
    unsigned k = atomicInc(count, 0xffffffffu);
    out[k] = threadIdx.x;
}

// atomicSub takes slots from the end.
//~ race-free
__global__ void counter_sub_ok(int *count, int *out)
{
    int k = atomicSub(count, 1);
    out[k] = threadIdx.x;
}
