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

// [wrap] All but the first round come after the wrap.
//~ race
__global__ void minus_one_bad(int *g, int n)
{
    unsigned row = -1;
    for (int i = 0; i < n; i++) {
        row++;
        g[row + threadIdx.x] = threadIdx.x; //~ here
    }
}

// [wrap] The condition counts before it compares.
//~ race
__global__ void counted_in_condition_bad(int *g, unsigned n)
{
    unsigned row = ~0u;
    while (++row < n) g[row + threadIdx.x] = threadIdx.x; //~ here
}

// [wrap] Counted first, compared behind the round.
//~ race
__global__ void counted_in_do_bad(int *g, unsigned n)
{
    unsigned row = 0;
    row--;
    do {
        row++;
        g[row + threadIdx.x] = threadIdx.x; //~ here
    } while (row < n);
}

// [wrap] The iterations of the outer loop share one counter.
//~ race
__global__ void minus_one_in_nest_bad(int *g, int rows, int columns)
{
    unsigned at = -1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            at++;
            g[at + threadIdx.x] = threadIdx.x; //~ here
        }
}

// [wrap] A step before the first.
//~ race
__global__ void a_step_below_bad(int *g, int n, unsigned step)
{
    unsigned at = -step;
    for (int i = 0; i < n; i++) {
        at += step;
        g[threadIdx.x + at] = threadIdx.x; //~ here
    }
}

// [wrap] A window around each thread, from the left of 0.
//~ race
__global__ void window_bad(int *g, int radius)
{
    unsigned y = threadIdx.x - radius;
    for (int i = -radius; i <= radius; i++, y++)
        if (y < 1) g[y] = threadIdx.x; //~ here
}

// [wrap] It is left where it is equal, not where it is larger.
//~ race
__global__ void window_to_end_bad(int *g, int radius)
{
    for (unsigned i = threadIdx.x - radius; i != threadIdx.x + radius + 1; i++)
        if (i < 1) g[i] = threadIdx.x; //~ here
}

// [wrap] Compared as a number with a sign.
//~ race
__global__ void compared_with_sign_bad(int *g, int low, int n)
{
    for (unsigned i = low; (int)i < n; i++)
        if (low < 0 && i == 2) g[0] = threadIdx.x; //~ here
}

// [wrap] What the kernel is given may be negative.
//~ race
__global__ void given_start_bad(int *g, int n, int start)
{
    unsigned at = start;
    for (int i = 0; i < n; i++) {
        at++;
        if (start < 0 && at == 2) g[0] = threadIdx.x; //~ here
    }
}

// [wrap] Falls below 0 at once.
//~ race
__global__ void falls_at_once_bad(int *g, unsigned n)
{
    unsigned i = 0;
    while (--i > n) g[threadIdx.x - i] = threadIdx.x; //~ here
}

// [missing-barrier] Another round's writes meet the reads of this one.
//~ race
__global__ void rounds_of_tiles_bad(int *g, unsigned n)
{
    __shared__ int s[8];
    unsigned round = -1;
    while (++round < n) {
        s[threadIdx.x] = threadIdx.x + round; //~ here
        __syncthreads();
        g[round * 8 + threadIdx.x] = s[7 - threadIdx.x]; //~ here
    }
}

//~ race-free
__global__ void rounds_of_tiles_ok(int *g, unsigned n)
{
    __shared__ int s[8];
    unsigned round = -1;
    while (++round < n) {
        s[threadIdx.x] = threadIdx.x + round;
        __syncthreads();
        g[round * 8 + threadIdx.x] = s[7 - threadIdx.x];
        __syncthreads();
    }
}
