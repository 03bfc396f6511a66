//--blockDim=64 --gridDim=2
// Construct: counters that an inner loop of a known number of iterations moves

// Twelve places for each thread.
//~ race-free
__global__ void nest_counter_ok(int *g)
{
    int at = (blockIdx.x * blockDim.x + threadIdx.x) * 12;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) g[at++] = i;
}

// [extent] Eleven.
//~ race
__global__ void nest_counter_bad(int *g)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int at = t * 11;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) g[at++] = t; //~ here
}

// What is counted is used behind the inner loop.
//~ race-free
__global__ void nest_behind_ok(int *g)
{
    int k = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) k++;
        g[(blockIdx.x * blockDim.x + threadIdx.x) * 13 + k] = i;
    }
}

// [extent] The last place is the first of the next thread but one.
//~ race
__global__ void nest_behind_bad(int *g)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int k = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) k++;
        g[t * 4 + k] = t; //~ here
    }
}

// A pointer that goes on through three loops.
//~ race-free
__global__ void nest_pointer_ok(int *g)
{
    int *p = g + (blockIdx.x * blockDim.x + threadIdx.x) * 24;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++) *p++ = j;
}

// [extent] One more in between.
//~ race
__global__ void nest_pointer_bad(int *g)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int *p = g + t * 24;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++) *p++ = t; //~ here
        p++;
    }
}

// [break] An inner loop that may be left early does not count to its end.
//~ race
__global__ void nest_left_bad(int *g)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int at = 0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 4; j++) {
            if (j == i + 1) break;
            at++;
        }
        g[t * 2 + at] = t; //~ here
    }
}

// [condition] The condition moves the counter once more than there are iterations.
//~ race
__global__ void nest_condition_bad(int *g)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int at = 0;
    for (int i = 0; i < 3; i++) {
        int j = 0;
        while (at++, j < 3) j++;
        g[t * 8 + at] = t; //~ here
    }
}
