//--blockDim=8 --gridDim=1
// Soundness: an unsigned counter that begins below 0, or is taken below it on the way, has wrapped, and does so again when it rises

// [wrap] Thread 0 begins at the largest number, and meets thread 7 in the next round.
//~ race
__global__ void starts_below_bad(int *g, short rounds)
{
    unsigned at = threadIdx.x;
    --at;
    for (unsigned j = 0; j < rounds; j++) {
        g[at] = threadIdx.x; //~ here
        at += 7;
    }
}

// By eight, the wrap brings it where nobody else is.
//~ race-free
__global__ void starts_below_ok(int *g, short rounds)
{
    unsigned at = threadIdx.x;
    --at;
    for (unsigned j = 0; j < rounds; j++) {
        g[at] = threadIdx.x;
        at += 8;
    }
}

// [wrap] Below 0 at the beginning of each row.
//~ race
__global__ void rows_below_bad(int *g, short columns)
{
    unsigned at = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        --at;
        for (unsigned j = 0; j < columns + i; j += 2) {
            g[at] = threadIdx.x; //~ here
            at += 8;
        }
    }
}

// [wrap] The same with a known number of columns.
//~ race
__global__ void known_rows_below_bad(int *g)
{
    unsigned at = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        --at;
        for (unsigned j = 0; j < 4; j += 2) {
            g[at] = threadIdx.x; //~ here
            at += 8;
        }
    }
}

// What begins below 0 does not get in.
//~ race-free
__global__ void stopped_below_ok(int *g)
{
    for (unsigned at = threadIdx.x - 1; at < 100; at += 7)
        g[at] = threadIdx.x;
}
