//--blockDim=64 --gridDim=1
// Extra: goto

// [goto] The jump goes past the barrier for all threads when n is positive.
//~ race
__global__ void goto_past_barrier_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (n > 0) goto read;
    __syncthreads();
read:
    out[t] = s[63 - t]; //~ here
}

// The jump goes past a store to the thread's own element.
//~ race-free
__global__ void goto_past_store_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (n > 0) goto wait;
    s[t] = n;
wait:
    __syncthreads();
    out[t] = s[63 - t];
}

// [goto] A loop made of a jump: the iterations have no barrier between them.
//~ race
__global__ void goto_loop_bad(int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, i = 0;
again:
    s[t + i] = t; //~ here
    i++;
    if (i < n && i < 64) goto again;
}

// The same with a barrier in each iteration, and another between the write and the next read.
//~ race-free
__global__ void goto_loop_barrier_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = 0;
again:
    s[t] = t + i;
    __syncthreads();
    out[t] = s[63 - t];
    __syncthreads();
    i++;
    if (i < n) goto again;
}

// [goto] The next iteration writes what this one reads.
//~ race
__global__ void goto_loop_barrier_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = 0;
again:
    s[t] = t + i; //~ here
    __syncthreads();
    out[t] += s[63 - t]; //~ here
    i++;
    if (i < n) goto again;
}

// The threads stride through the array.
//~ race-free
__global__ void goto_stride_ok(int *out, int n)
{
    int i = threadIdx.x;
again:
    if (i >= n) goto end;
    out[i] = i;
    i += blockDim.x;
    goto again;
end:
    return;
}

// [goto] Two threads share the elements that the stride goes past.
//~ race
__global__ void goto_stride_bad(int *out, int n)
{
    int i = threadIdx.x;
again:
    if (i >= n) goto end;
    out[i] = threadIdx.x; //~ here
    i += blockDim.x - 1;
    goto again;
end:
    return;
}

// A jump back from the middle, besides the one at the end.
//~ race-free
__global__ void goto_two_ok(int *out, const int *in, int n)
{
    int i = threadIdx.x;
again:
    if (in[i] > 0 && i + 64 < n) {
        out[i] = 0;
        i += 64;
        goto again;
    }
    out[i] = i;
    i += 64;
    if (i < n) goto again;
}

// [goto] The jump from the middle goes on by too little.
//~ race
__global__ void goto_two_bad(int *out, const int *in, int n)
{
    int i = threadIdx.x;
again:
    if (in[i] > 0 && i + 64 < n) {
        out[i] = 0;
        i += 63;
        goto again;
    }
    out[i] = threadIdx.x; //~ here
    i += 64;
    if (i < n) goto again;
}

// Out of two loops, past a barrier that nobody reaches then.
//~ race-free
__global__ void goto_out_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (i * j > 20) goto found;
            s[t] += i * j;
        }
    }
    s[t] = n;
found:
    __syncthreads();
    out[t] = s[63 - t];
}

// [goto] Out of two loops, past the only barrier.
//~ race
__global__ void goto_out_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (i * j > 20) goto found;
        }
    }
    __syncthreads();
found:
    out[t] = s[63 - t]; //~ here
}

// [goto] Out of a switch in a loop: what is behind the loop is not executed.
//~ race
__global__ void goto_switch_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        switch (i) {
        case 3: goto found;
        default: s[t] = i; //~ here
        }
    }
    __syncthreads();
found:
    out[t] = s[63 - t]; //~ here
}

// Back to the head of a loop from one that is inside it.
//~ race-free
__global__ void goto_nested_ok(int *out, int n)
{
    int i = threadIdx.x;
again:
    for (int j = 0; j < 4; j++) {
        out[4 * i + j] = j;
        if (i + 64 < n && j == 2) {
            i += 64;
            goto again;
        }
    }
}

// [goto] From there it goes back with a place that another thread has.
//~ race
__global__ void goto_nested_bad(int *out, int n)
{
    int i = threadIdx.x;
again:
    for (int j = 0; j < 4; j++) {
        out[4 * i + j] = threadIdx.x; //~ here
        if (i + 64 < n && j == 2) {
            i += 63;
            goto again;
        }
    }
}

// [goto] The name that is declared in the region is another one behind it.
//~ race
__global__ void goto_name_bad(int *out, int n)
{
    int step = 1, i = 0;
    {
    again:
        int step = 0;
        i++;
        if (i < n) goto again;
        out[step * threadIdx.x] = threadIdx.x; //~ here
    }
    out[64 + step * threadIdx.x] = 1;
}

// [goto] The jump out of the loop goes on with the next round of the one around.
//~ race
__global__ void goto_break_bad(int *out, int n)
{
    int step = 0;
    for (int i = 0; i < 2; i++) {
        int j = 0;
    again:
        j++;
        if (n == j) break;
        if (j < 3) goto again;
        step = 1;
    }
    out[step * threadIdx.x] = threadIdx.x; //~ here
}

// [goto] Two loops that cross.
//~ race
__global__ void goto_crossing_bad(int *out, int n)
{
    int i = 0, j = 0;
one:
    i++;
two:
    j++;
    if (i < n) goto one;
    if (j < 2 * n) goto two;
    out[0] = threadIdx.x; //~ here
}

// [goto] Into a loop.
//~ race
__global__ void goto_into_bad(int *out, int n)
{
    int i = 0;
    if (n > 3) goto inside;
    for (; i < n; i++) {
    inside:
        out[i] = threadIdx.x; //~ here
    }
}
