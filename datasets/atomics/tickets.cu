//--blockDim=64 --gridDim=8
// Tickets: who draws the last of as many as there are blocks comes after all that the others did before they drew.
__device__ unsigned int done = 0;
__device__ unsigned int marks[2];

// All threads store and fence; behind the barrier one draws. The last block adds up, and sets the counter back.
//~ race-free
__global__ void ticket_fence_each_ok(const int *in, int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = in[blockIdx.x * 64 + t] + 1;
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += part[i * 64 + t];
        out[t] = sum;
        if (t == 0) done = 0;
    }
}

// All threads store; the one that draws fences for its block, behind the barrier.
//~ race-free
__global__ void ticket_fence_drawer_ok(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t;
    __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicAdd(&done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++) sum += part[i * 64 + 63 - t];
    out[t] = sum;
}

// The block is told the ticket itself, and each thread compares.
//~ race-free
__global__ void ticket_number_ok(int *part, int *out)
{
    __shared__ unsigned int mine;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t;
    __threadfence();
    __syncthreads();
    if (t == 63) mine = atomicInc(&done, gridDim.x - 1);
    __syncthreads();
    if (mine + 1 == gridDim.x) out[t] = part[(blockIdx.x ^ 1) * 64 + t];
}

// The thread that draws goes on by itself.
//~ race-free
__global__ void ticket_alone_ok(int *part, int *out)
{
    if (threadIdx.x != 0) return;
    part[blockIdx.x] = blockIdx.x;
    __threadfence();
    int mine = atomicAdd((int *)&done, 1);
    if (mine >= (int)gridDim.x - 1) {
        int sum = 0;
        for (int i = 0; i < 8; i++) sum += part[i];
        out[0] = sum;
    }
}

// The flag is cleared at first, by another thread.
//~ race-free
__global__ void ticket_cleared_ok(int *part, int *out)
{
    __shared__ int last;
    int t = threadIdx.x;
    if (t == 1) last = 0;
    part[blockIdx.x * 64 + t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == 7 ? 1 : 0;
    __syncthreads();
    if (last == 1) out[t] = part[t] + part[448 + t];
}

// [counter] Half of the blocks have drawn, and the others may still store.
//~ race
__global__ void ticket_half_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x / 2 - 1;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] It begins again at 3: two blocks find that, each with others that have not drawn.
//~ race
__global__ void ticket_limit_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicInc(&done, 3) == 3;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] Two threads of each block draw: the ticket of the number of blocks less one is drawn by half of them.
//~ race
__global__ void ticket_two_threads_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) last = false;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t < 2 && atomicAdd(&done, 1u) == gridDim.x - 1) last = true;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] Each block draws twice.
//~ race
__global__ void ticket_twice_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) {
        last = atomicAdd(&done, 1u) == gridDim.x - 1;
        atomicAdd(&done, 1u);
    }
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] Drawn in each round, and the blocks are in different rounds.
//~ race
__global__ void ticket_rounds_of_blocks_bad(int *part, int *out, int n)
{
    __shared__ bool last;
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        part[blockIdx.x * 64 + t] = i; //~ here
        __threadfence();
        __syncthreads();
        if (t == 0) last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
        __syncthreads();
        if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
    }
}

// [counter] Block 0 sets the counter back while others draw.
//~ race
__global__ void ticket_set_back_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) done = 0; //~ here
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1; //~ here
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] Two words: each has its own order.
//~ race
__global__ void ticket_two_words_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&marks[blockIdx.x & 1], 2u - 1u) == gridDim.x / 2 - 1;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] Only even threads fence, and nobody fences for the others.
//~ race
__global__ void ticket_some_fence_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    if (t % 2 == 0) __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] Stored once more behind the fence.
//~ race
__global__ void ticket_store_late_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t;
    __threadfence();
    part[blockIdx.x * 64 + t] = t; //~ here
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] Those that do not draw the last ticket store, too.
//~ race
__global__ void ticket_store_behind_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    part[blockIdx.x * 64 + t] = t; //~ here
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] The flag is not set where the number is small: what it held before is read.
//~ race
__global__ void ticket_not_told_bad(int *part, int *out, int n)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0 && n > 4) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] Another thread sets the flag in all blocks.
//~ race
__global__ void ticket_told_by_other_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (t == 1) last = true;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] Told whether it was not the last.
//~ race
__global__ void ticket_told_wrongly_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) != gridDim.x - 1;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] The ticket is cut to 2 bits' worth of a byte: 3 and 7 are one.
//~ race
__global__ void ticket_cut_bad(int *part, int *out)
{
    __shared__ unsigned int mine;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) mine = atomicAdd(&done, 1u) & 3;
    __syncthreads();
    if (mine == 3) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] A thread that leaves at once waits for nobody, and nobody for it: neither at the barriers nor before the ticket.
//~ race
__global__ void ticket_left_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    if (t >= 32) return;
    __syncthreads(); //~ here
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads(); //~ here
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t + 32]; //~ here
}

// [counter] Read before the ticket what others store before theirs.
//~ race
__global__ void ticket_read_before_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    int other = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[t] = other;
}

__device__ unsigned int begun = 7;
__device__ unsigned int rows_begun[2] = {0, 7};
struct Begun { unsigned int tickets = 7; };
__device__ Begun begun_member;

// [counter] The counter begins at the number of blocks less one: the first block takes itself for the last.
//~ race
__global__ void ticket_begun_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&begun, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] An element of an array begins there.
//~ race
__global__ void ticket_begun_element_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&rows_begun[1], 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}

// [counter] A member begins there.
//~ race
__global__ void ticket_begun_member_bad(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&begun_member.tickets, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[t] = part[(blockIdx.x ^ 1) * 64 + t]; //~ here
}
