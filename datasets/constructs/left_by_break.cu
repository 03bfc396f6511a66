// Loops that a break leaves in an iteration which conditions on the counter tell, and variables that a loop sets first.

// Rows of a pyramid: the threads that are inside of every row so far have a result, and the loop is left after the last row.
//~ race-free
__global__ void ghost_rows_ok(const int *wall, const int *src, int *out, int cols, int rows)
{
    __shared__ int before[128];
    __shared__ int now[128];
    int t = threadIdx.x;
    int small = 128 - 2 * rows;
    int x = small * (int)blockIdx.x - rows + t;
    bool valid = x >= 0 && x < cols;
    bool done;
    if (rows < 1 || rows > 40 || blockDim.x != 128) return;
    if (valid) before[t] = src[x];
    __syncthreads();
    for (int i = 0; i < rows; i++) {
        done = false;
        if (t >= i + 1 && t <= 126 - i && valid) {
            done = true;
            now[t] = min(before[t], min(before[t - 1], before[t + 1])) + wall[i * cols + x];
        }
        __syncthreads();
        if (i == rows - 1) break;
        if (done) before[t] = now[t];
        __syncthreads();
    }
    if (done) out[x] = now[t];
}

// One column too many is stored: the neighbouring block has it as well.
//~ race
__global__ void ghost_rows_bad(const int *wall, const int *src, int *out, int cols, int rows)
{
    __shared__ int before[128];
    __shared__ int now[128];
    int t = threadIdx.x;
    int small = 128 - 2 * rows;
    int x = small * (int)blockIdx.x - rows + t;
    bool valid = x >= 0 && x < cols;
    bool done;
    if (rows < 1 || rows > 40 || blockDim.x != 128) return;
    if (valid) before[t] = src[x];
    __syncthreads();
    for (int i = 0; i < rows; i++) {
        done = false;
        if (t >= i + 1 && t <= 127 - i && valid) {
            done = true;
            now[t] = min(before[t], before[t - 1]) + wall[i * cols + x];
        }
        __syncthreads();
        if (i == rows - 1) break;
        if (done) before[t] = now[t];
        __syncthreads();
    }
    if (done) out[x] = now[t]; //~ here
}

// The loop is left in its first iteration.
//~ race-free
__global__ void left_at_once_ok(int *out)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 4; i++) {
        k = t / (i + 1);
        if (i == 0) break;
    }
    out[blockIdx.x * blockDim.x + k] = t;
}

// In its second one.
//~ race
__global__ void left_in_second_bad(int *out)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 4; i++) {
        k = t / (i + 1);
        if (i == 1) break;
    }
    out[blockIdx.x * blockDim.x + k] = t; //~ here
}

// The break is never met: k is 2.
//~ race-free
__global__ void never_left_ok(int *out)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 3; i++) {
        k = i;
        if (i == 9) break;
    }
    out[blockIdx.x * blockDim.x + t / (k == 3 ? 2 : 1)] = t;
}

//~ race
__global__ void never_left_bad(int *out)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 3; i++) {
        k = i;
        if (i == 9) break;
    }
    out[blockIdx.x * blockDim.x + t / (k == 2 ? 2 : 1)] = t; //~ here
}

// Where the break is, is a parameter.
//~ race-free
__global__ void left_where_told_ok(int *out, int n)
{
    int t = threadIdx.x, k = 0;
    if (n < 0) return;
    for (int i = 0;; i++) {
        k = i;
        if (i == n) break;
    }
    out[blockIdx.x * blockDim.x + t / (k == n ? 1 : 2)] = t;
}

//~ race
__global__ void left_where_told_bad(int *out, int n)
{
    int t = threadIdx.x, k = 0;
    if (n < 0) return;
    for (int i = 0; i < 8; i++) {
        k = i;
        if (i == n) break;
    }
    out[blockIdx.x * blockDim.x + t / (k == n ? 1 : 2)] = t; //~ here
}

// A thread that goes on at the label has not met the break.
//~ race-free
__global__ void passed_once_ok(int *out)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 4; i++) {
        k = i == 1 ? t : t / 2;
        if (i == 0) goto next;
        if (i == 1) break;
    next:;
    }
    out[blockIdx.x * blockDim.x + k] = t;
}

//~ race
__global__ void passed_by_bad(int *out, int n)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 4; i++) {
        k = i == 1 ? t : t / 2;
        for (int j = 0; j < 3; j++)
            if (n == j) goto next;
        if (i == 1) break;
    next:;
    }
    out[blockIdx.x * blockDim.x + k] = t; //~ here
}

//~ race
__global__ void passed_by_data_bad(int *out, const int *data)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 4; i++) {
        k = i == 1 ? t : t / 2;
        for (int j = 0; j < 3; j++)
            if (data[j] == 7) goto next;
        if (i == 1) break;
    next:;
    }
    out[blockIdx.x * blockDim.x + k] = t; //~ here
}

//~ race
__global__ void continued_bad(int *out, int n)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 4; i++) {
        k = i == 1 ? t : t / 2;
        if (i < n) continue;
        if (i == 1) break;
    }
    out[blockIdx.x * blockDim.x + k] = t; //~ here
}

//~ race
__global__ void switched_bad(int *out, int n)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 4; i++) {
        k = i == 1 ? t : t / 2;
        switch (n) {
        case 1: break;
        default: continue;
        }
        if (i == 1) break;
    }
    out[blockIdx.x * blockDim.x + k] = t; //~ here
}

__device__ int some_of_three(int n)
{
    for (int j = 0; j < 3; j++)
        if (n == j) return 1;
    return 0;
}

//~ race
__global__ void asked_bad(int *out, int n)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 4; i++) {
        k = i == 1 ? t : t / 2;
        if (some_of_three(n)) continue;
        if (i == 1) break;
    }
    out[blockIdx.x * blockDim.x + k] = t; //~ here
}

// The condition counts once more when it fails: i is 4.
//~ race
__global__ void counted_by_condition_bad(int *out)
{
    int t = threadIdx.x, i = 0;
    while (i++ < 3)
        if (i == 9) break;
    out[blockIdx.x * blockDim.x + t / (i == 4 ? 2 : 1)] = t; //~ here
}

// Every outer iteration but one leaves the inner loop early.
//~ race
__global__ void inner_left_bad(int *out)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < 8; i++) {
        int j;
        k = i;
        for (j = 0; j < 4; j++)
            if (j == i) break;
        if (j == 4) break;
    }
    out[blockIdx.x * blockDim.x + t / (k == 4 ? 2 : 1)] = t; //~ here
}

// Each thread leaves in an iteration of its own; not all of them come to the barrier.
//~ divergence
__global__ void left_by_thread_div(int *out, int n)
{
    int t = threadIdx.x, k = 0;
    for (int i = 0; i < n; i++) {
        k = i;
        if (i == t) break;
    }
    if (k < 5) __syncthreads(); //~ here
    out[blockIdx.x * blockDim.x + t] = k;
}

// Set in the loop first: where the loop does not run, nobody may read it.
//~ race-free
__global__ void first_set_ok(int *out, int n)
{
    int t = threadIdx.x, k;
    for (int i = 0; i < n; i++) k = t + i - i;
    if (blockIdx.x == 0) out[k] = t;
}

//~ race
__global__ void first_set_bad(int *out, int n)
{
    int t = threadIdx.x, k;
    for (int i = 0; i < n; i++) k = t / (i + 1);
    if (blockIdx.x == 0) out[k] = t; //~ here
}

// Some iterations do not set it.
//~ race
__global__ void some_set_bad(int *out, int n)
{
    int t = threadIdx.x, k;
    for (int i = 0; i < n; i++)
        if (i > 3) k = t / 2;
    if (blockIdx.x == 0) out[k] = t; //~ here
}
