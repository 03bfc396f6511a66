//--blockDim=64 --gridDim=4
// Construct: values by which loops and functions are left

// A function that returns from inside its loop.
__device__ int left_find(const int *p, int t)
{
    for (int k = 0; k < 16; k++)
        if (p[t * 16 + k]) return k;
    return -1;
}

// Two returns in a loop, one before it.
__device__ int left_find_either(const int *p, int t, int n)
{
    if (n < 0) return -2;
    for (int k = 0; k < n; k++) {
        if (p[t * n + k] == 1) return k;
        if (p[t * n + k] == 2) return n - 1 - k;
    }
    return -1;
}

// From the inner of two loops.
__device__ int left_find_nested(const int *p, int t)
{
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++)
            if (p[k * 4 + j] == t) return k * 4 + j;
    return 16;
}

// The place is set on the way out.
//~ race-free
__global__ void left_found_ok(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, found = -1;
    for (int k = 0; k < 16; k++)
        if (p[t * 16 + k]) {
            found = k;
            break;
        }
    if (found >= 0) out[t * 16 + found] = t;
}

// [index] Every other place, to the neighbour's row.
//~ race
__global__ void left_found_next_bad(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, found = -1;
    for (int k = 0; k < 16; k++)
        if (p[t * 16 + k]) {
            found = 2 * k;
            break;
        }
    if (found >= 0) out[t * 16 + found] = t; //~ here
}

// The counter itself, which may come to its end.
//~ race-free
__global__ void left_counter_ok(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, k;
    for (k = 0; k < 16; k++)
        if (p[t * 16 + k]) break;
    out[t * 17 + k] = t;
}

// [index] At its end it is in the neighbour's row.
//~ race
__global__ void left_counter_bad(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, k;
    for (k = 0; k < 16; k++)
        if (p[t * 16 + k]) break;
    out[t * 16 + k] = t; //~ here
}

// Two breaks, each with a place in the row.
//~ race-free
__global__ void left_either_ok(const int *p, int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
    for (int k = 0; k < n; k++) {
        if (p[t * n + k] == 1) {
            at = k;
            break;
        }
        if (p[t * n + k] == 2) {
            at = n - k - 1;
            break;
        }
    }
    if (n > 0) out[t * n + at] = t;
}

// [index] One of them leads out of the row.
//~ race
__global__ void left_either_bad(const int *p, int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
    for (int k = 0; k < n; k++) {
        if (p[t * n + k] == 1) {
            at = k;
            break;
        }
        if (p[t * n + k] == 2) {
            at = n - k;
            break;
        }
    }
    if (n > 0) out[t * n + at] = t; //~ here
}

// [index] Only the last round leaves the loop, one behind the row.
//~ race
__global__ void left_last_round_bad(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
    for (int k = 0; k < 16; k++)
        if (k > 14 && p[t] > 3) {
            at = k + 1;
            break;
        }
    out[t * 16 + at] = t; //~ here
}

// [index] Both loops are left.
//~ race
__global__ void left_inner_bad(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
    for (int k = 0; k < 4; k++) {
        int j;
        for (j = 0; j < 4; j++)
            if (p[k * 4 + j] == t) {
                at = 4 * k + j + 1;
                break;
            }
        if (j < 4) break;
    }
    out[t * 16 + at] = t; //~ here
}

// [index] Found in one round, used with the number of it.
//~ race
__global__ void left_rounds_bad(const int *p, int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < n; r++) {
        int found = -1;
        for (int k = 0; k < 16; k++)
            if (p[r * 16 + k] == t) {
                found = k;
                break;
            }
        if (found >= 0) out[t * 16 + found + r] = t; //~ here
    }
}

// What a function returns from inside its loop.
//~ race-free
__global__ void left_returned_ok(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int at = left_find(p, t);
    if (at >= 0) out[t * 16 + at] = t;
}

// [index] What it returns behind the loop counts, too.
//~ race
__global__ void left_returned_bad(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int at = left_find(p, t);
    if (at >= -1) out[t * 16 + at] = t; //~ here
}

// Both returns are in the row.
//~ race-free
__global__ void left_returned_either_ok(const int *p, int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int at = left_find_either(p, t, n);
    if (at >= 0) out[t * n + at] = t;
}

// [index] One further.
//~ race
__global__ void left_returned_either_bad(const int *p, int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int at = left_find_either(p, t, n);
    if (at >= -1) out[t * n + at + 1] = t; //~ here
}

// Two loops are left at once.
//~ race-free
__global__ void left_returned_nested_ok(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t * 17 + left_find_nested(p, t)] = t;
}

// [index] The rows are too short for what is returned behind them.
//~ race
__global__ void left_returned_nested_bad(const int *p, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t * 16 + left_find_nested(p, t)] = t; //~ here
}
