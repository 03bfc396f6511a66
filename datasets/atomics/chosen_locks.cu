//--blockDim=64 --gridDim=4
// Locks and counters of which each thread chooses one: those who choose different ones do not wait for each other.

// [lock] Two buckets share an element, and each has a lock of its own.
//~ race
__global__ void chosen_bucket_bad(int *locks, int *table, const int *keys)
{
    if (threadIdx.x == 0) {
        int b = keys[blockIdx.x] & 15;
        while (atomicCAS(&locks[b], 0, 1) != 0) { }
        __threadfence();
        table[b / 2] += 1; //~ here
        __threadfence();
        atomicExch(&locks[b], 0);
    }
}

// [lock] The lock of one bucket, the element of the next.
//~ race
__global__ void chosen_next_bad(int *locks, int *table, const int *keys)
{
    int b = keys[blockIdx.x * 64 + threadIdx.x] & 15;
    bool waiting = true;
    while (waiting) {
        if (atomicCAS(&locks[b], 0, 1) == 0) {
            __threadfence();
            table[b] += table[b + 1]; //~ here
            __threadfence();
            atomicExch(&locks[b], 0);
            waiting = false;
        }
    }
}

// [counter] Each row of blocks has a counter, and the last block of a row reads what all rows stored.
//~ race
__global__ void chosen_row_bad(unsigned int *drawn, int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t; //~ here
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&drawn[blockIdx.x / 2], 1u) == 1;
    __syncthreads();
    if (last) out[blockIdx.x * 64 + t] = part[t] + part[64 + t] + part[128 + t]; //~ here
}
