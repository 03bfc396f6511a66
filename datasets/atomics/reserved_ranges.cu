// Places reserved by an atomic that adds as many as a thread needs, a number of which only bounds are known.

//~ race-free
__global__ void reserve_masked_ok(int *count, int *out, const int *degree)
{
    int d = degree[blockIdx.x * blockDim.x + threadIdx.x] & 7;
    int p = atomicAdd(count, d);
    for (int j = 0; j < d; j++) out[p + j] = threadIdx.x;
}

// One place too many.
//~ race
__global__ void reserve_masked_bad(int *count, int *out, const int *degree)
{
    int d = degree[blockIdx.x * blockDim.x + threadIdx.x] & 7;
    int p = atomicAdd(count, d);
    for (int j = 0; j <= d; j++) out[p + j] = threadIdx.x; //~ here
}

// As many as were counted before.
//~ race-free
__global__ void reserve_counted_ok(int *count, int *out, const int *flags)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, d = 0;
    for (int k = 0; k < 8; k++)
        if (flags[g * 8 + k] > 0) d++;
    int p = atomicAdd(count, d);
    for (int j = 0; j < d; j++) out[p + j] = g;
}

// Some threads count down: the next one reserves the same places.
//~ race
__global__ void reserve_counted_bad(int *count, int *out, const int *flags)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, d = 0;
    for (int k = 0; k < 8; k++)
        if (flags[g * 8 + k] > 0) d--;
    int p = atomicAdd(count, d);
    out[p] = g; //~ here
}

// Two, three or none.
//~ race-free
__global__ void reserve_choice_ok(int *count, int *out, const int *kind)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int d = kind[g] > 0 ? 2 : kind[g] < -5 ? 3 : 0;
    if (d == 0) return;
    int p = atomicAdd(count, d);
    out[p] = g;
    out[p + 1] = g;
    if (d == 3) out[p + 2] = g;
}

// Who reserves none stores, too.
//~ race
__global__ void reserve_choice_bad(int *count, int *out, const int *kind)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int d = kind[g] > 0 ? 2 : kind[g] < -5 ? 3 : 0;
    int p = atomicAdd(count, d);
    out[p] = g; //~ here
    out[p + 1] = g; //~ here
    if (d == 3) out[p + 2] = g;
}

// A degree that may be less than 0 takes places back.
//~ race
__global__ void reserve_signed_bad(int *count, int *out, const int *degree)
{
    int d = (degree[blockIdx.x * blockDim.x + threadIdx.x] & 7) - 3;
    int p = atomicAdd(count, d);
    if (d > 0) out[p] = threadIdx.x; //~ here
}

// The counter is set back while others draw.
//~ race
__global__ void reserve_set_back_bad(int *count, int *out, const int *degree)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int d = degree[g] & 7;
    if (g == 0) *count = 0; //~ here
    int p = atomicAdd(count, d); //~ here
    for (int j = 0; j < d; j++) out[p + j] = g; //~ here
}
