// Elements that belong to whoever takes their mark away first by an atomic exchange.

// Whoever marks a place first writes to it.
//~ race-free
__global__ void winner_first_ok(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (atomicCAS(&mark[v], 0, 1) == 0) out[v] = i;
}

// The same of the neighbours of a node, one after the other.
//~ race-free
__global__ void winner_edges_ok(int *cost, int *visited, const int *begin, const int *edge, const int *frontier, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int node = frontier[i];
    for (int e = begin[node]; e < begin[node + 1]; e++) {
        int next = edge[e];
        if (atomicCAS(&visited[next], 0, 1) == 0) cost[next] = i;
    }
}

// A mark that is set in any case: one finds that it was not.
//~ race-free
__global__ void winner_exchange_ok(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (!atomicExch(&mark[v], 1)) out[v] = i;
}

// The mark is who marked, never -1.
//~ race-free
__global__ void winner_number_ok(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (atomicCAS(&mark[v], -1, i) == -1) out[v] = i;
}

// Marked in one way or another, never back.
//~ race-free
__global__ void winner_two_ways_ok(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (i & 1) {
        if (atomicExch(&mark[v], 1) == 0) out[v] = i;
    } else {
        if (atomicCAS(&mark[v], 0, 2) == 0) out[v] = i;
    }
}

// One of the block, in each round.
//~ race-free
__global__ void winner_shared_ok(int *out, const int *key, int n)
{
    __shared__ int won;
    for (int r = 0; r < n; r++) {
        if (threadIdx.x == 0) won = 0;
        __syncthreads();
        if (key[threadIdx.x] == r && atomicCAS(&won, 0, 1) == 0) out[blockIdx.x] = threadIdx.x;
        __syncthreads();
    }
}

// Marks of the block, by atomics of the block.
//~ race-free
__global__ void winner_of_block_ok(int *out, int *mark, const int *place)
{
    int v = (place[threadIdx.x] & 63) + 64 * blockIdx.x;
    if (atomicExch_block(&mark[v], 1) == 0) out[v] = threadIdx.x;
}

// [exchange] Somebody takes the mark away again.
//~ race
__global__ void winner_reset_bad(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (!atomicExch(&mark[v], 1)) out[v] = i; //~ here
    if (i == 7) atomicExch(&mark[v], 0);
}

// [exchange] Thread 0 marks with what counts as not marked.
//~ race
__global__ void winner_zero_bad(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (atomicCAS(&mark[v], 0, i) == 0) out[v] = i; //~ here
}

// [exchange] Whoever finds the own number wins, too, and marks are shared.
//~ race
__global__ void winner_or_own_bad(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    int old = atomicCAS(&mark[v & 15], -1, i);
    if (old == -1 || old == i) out[v & 31] = i; //~ here
}

// [exchange] The others do not mark, and write.
//~ race
__global__ void winner_losers_bad(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (atomicCAS(&mark[v], 0, 1) != 0) out[v] = i; //~ here
}

// [exchange] Another atomic clears the bit that marks.
//~ race
__global__ void winner_masked_bad(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (atomicCAS(&mark[v], 0, 256) == 0) out[v] = i; //~ here
    atomicAnd(&mark[v], 255);
}

// [exchange] Only half of what was found is looked at.
//~ race
__global__ void winner_half_bad(int *out, unsigned long long *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if ((int)atomicCAS(&mark[v], 0ull, 1ull << 32) == 0) out[v] = i; //~ here
}

// [exchange] What is stored counts as won.
//~ race
__global__ void winner_stored_bad(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (atomicExch(&mark[v], 1) <= 1) out[v] = i; //~ here
}

// [exchange] The mark is taken away in each round, with no barrier behind.
//~ race
__global__ void winner_loop_bad(int *out, const int *key)
{
    __shared__ int won;
    if (threadIdx.x == 0) won = 0;
    __syncthreads();
    for (int r = 0; r < 4; r++) {
        if (key[threadIdx.x] == r && atomicCAS(&won, 0, 1) == 0) out[blockIdx.x] = threadIdx.x; //~ here
        if (threadIdx.x == 0) atomicExch(&won, 0);
    }
}

// [exchange] The winner reads what the next place's winner writes.
//~ race
__global__ void winner_next_bad(int *out, int *mark, const int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = place[i];
    if (atomicCAS(&mark[v], 0, 1) == 0) out[v + 1] = out[v]; //~ here
}
