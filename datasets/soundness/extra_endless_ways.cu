//--blockDim=64 --gridDim=1
// Extra: functions that leave their loops by returning only, and labels behind their calls

__device__ int first_of(const int *q, int at)
{
    for (int i = 0; i < 1; i++)
        return q[at];
    return 0;
}

__device__ int sought_in(const int *q, int at)
{
    while (true) {
        if (q[at] > 0)
            return at;
        at++;
    }
}

// [missing barrier] The label is reached: each reads what another one wrote.
//~ race
__global__ void label_behind_call_bad(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    int x = first_of(in, 5);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            if (i + j == 1)
                goto out;
            out[64 + t] = x;
        }
out:;
    out[t] = s[63 - t]; //~ here
}

// A barrier at the label orders the two.
//~ race-free
__global__ void label_behind_call_ok(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    int x = first_of(in, 5);
    if (x > 3)
        goto out;
    out[64 + t] = x;
out:
    __syncthreads();
    out[t] = s[63 - t];
}

// [missing barrier] The loop of the call has no end, but its return.
//~ race
__global__ void label_behind_search_bad(int *out, const int *in, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    int x = sought_in(in, 5);
    if (n > 3)
        goto out;
    out[64 + t] = x;
out:
    out[t] = s[63 - t]; //~ here
}

// [missing barrier] Half of the threads go through the function, and all of them come to the read.
//~ race
__global__ void search_of_some_bad(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = 0;
    s[t] = t; //~ here
    if (t < 32)
        x = sought_in(in, 5);
    switch (x) {
    case 0:
        break;
    default:
        out[64 + t] = x;
    }
    out[t] = s[63 - t]; //~ here
}
