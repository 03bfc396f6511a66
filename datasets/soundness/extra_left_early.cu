//--blockDim=64 --gridDim=1
// Extra: loops that are left by break, and loops of few iterations whose values are listed one by one

// The counter is at most 8 behind the loop, wherever it is left.
//~ race-free
__global__ void left_counter_ok(const int *q)
{
    __shared__ int s[128];
    int t = threadIdx.x, i;
    for (i = 0; i < 8; i++) {
        if (q[t * 8 + i] > 0) break;
    }
    s[t + i / 9] = t;
}

// [exit-value] The body steps too: behind the loop the counter may be 9.
//~ race
__global__ void left_stepped_bad(const int *q)
{
    __shared__ int s[128];
    int t = threadIdx.x, i;
    for (i = 0; i < 8; i++) {
        if (q[t * 8 + i] > 1) i++;
        if (q[t * 8 + i] > 0) break;
    }
    s[t + i / 9] = t; //~ here
}

// [exit-value] The condition steps when it fails, too.
//~ race
__global__ void left_condition_bad(const int *q)
{
    __shared__ int s[128];
    int t = threadIdx.x, i = 0;
    while (i++ < 8) {
        if (q[t * 8 + i] > 0) break;
    }
    s[t + i / 9] = t; //~ here
}

// [exit-value] The loop may go on to 20.
//~ race
__global__ void left_later_bad(const int *q)
{
    __shared__ int s[128];
    int t = threadIdx.x, i = 0;
    while (i < 20) {
        if (q[t * 8 + i] > 0) break;
        i++;
    }
    s[t + i / 9 % 2] = t; //~ here
}

// The steps of 64 keep the places apart modulo 64, wherever the loop is left.
//~ race-free
__global__ void left_strided_ok(const int *q, int *g, int n)
{
    int t = threadIdx.x, i;
    for (i = t; i < n; i += 64) {
        if (q[i] > 0) break;
    }
    g[i] = t;
}

// [exit-value] In steps of 32 two threads find the same place.
//~ race
__global__ void left_strided_bad(const int *q, int *g, int n)
{
    int t = threadIdx.x, i;
    for (i = t; i < n; i += 32) {
        if (q[i] > 0) break;
    }
    g[i] = t; //~ here
}

// [exit-value] The place is taken back before the break.
//~ race
__global__ void left_taken_back_bad(const int *q, int *g, int n)
{
    int t = threadIdx.x, i;
    for (i = t; i < n; i += 64) {
        if (q[i] > 0) {
            i = i / 2;
            break;
        }
    }
    g[i] = t; //~ here
}

// The inner loop is left, the outer one goes on.
//~ race-free
__global__ void left_inner_ok(const int *q, int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 4; k++) {
        int i;
        for (i = 0; i < 8; i++) {
            if (q[t * 8 + i + k] > 0) break;
        }
        s[t * 2 + i / 9] = k;
        sum += i;
    }
    out[t] = sum + s[t * 2];
}

// [exit-value] What was counted in the rounds before goes on counting.
//~ race
__global__ void left_inner_counted_bad(const int *q)
{
    __shared__ int s[128];
    int t = threadIdx.x, i = 0;
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < 8; j++, i++) {
            if (q[t * 8 + j + k] > 0) break;
        }
    }
    s[t + i / 16] = t; //~ here
}

// t, 3t + 1, 9t + 4: each step has a row.
//~ race-free
__global__ void listed_rows_ok()
{
    __shared__ int s[3][640];
    int i = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        s[k][i] = k;
        i = 3 * i + 1;
    }
}

// [closed-form] In one row 3t + 1 meets another thread's start.
//~ race
__global__ void listed_one_row_bad()
{
    __shared__ int s[640];
    int i = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        s[i] = threadIdx.x; //~ here
        i = 3 * i + 1;
    }
}

// [closed-form] 6t modulo 64 comes twice.
//~ race
__global__ void listed_remainder_bad()
{
    __shared__ int s[2][64];
    int i = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        s[k][i] = threadIdx.x; //~ here
        i = 6 * i % 64;
    }
}

// 5t modulo 64 does not.
//~ race-free
__global__ void listed_remainder_ok()
{
    __shared__ int s[2][64];
    int i = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        s[k][i] = threadIdx.x;
        i = 5 * i % 64;
    }
}

// Two variables that step by each other: 1, 1, 2, 3 rows of 64 further.
//~ race-free
__global__ void listed_pair_ok(int *g)
{
    int t = threadIdx.x, a = 1, b = 1;
    for (int k = 0; k < 5; k++) {
        g[b * 64 + t] = k;
        int next = a + b;
        a = b;
        b = next;
    }
    g[b * 64 + t] = 9;
}

// [closed-form] Rows of 48 overlap.
//~ race
__global__ void listed_pair_bad(int *g)
{
    int t = threadIdx.x, a = 1, b = 1;
    for (int k = 0; k < 5; k++) {
        g[b * 48 + t] = t; //~ here
        int next = a + b;
        a = b;
        b = next;
    }
}
