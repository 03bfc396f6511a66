//--blockDim=64 --gridDim=1
// Extra: pointers that a loop sets from each other, so that one round does not show where they lead in the next

// [pointer] From the third round on q leads to b, which is written beside.
//~ race
__global__ void moved_on_bad(int *out)
{
    __shared__ int a[64], b[64];
    int *p = a, *q = a;
    int t = threadIdx.x;
    a[t] = t;
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        b[t] = q[63 - t]; //~ here
        q = p;
        p = b;
    }
    out[t] = b[t];
}

// In two rounds it has not come there.
//~ race-free
__global__ void moved_on_ok(int *out)
{
    __shared__ int a[64], b[64];
    int *p = a, *q = a;
    int t = threadIdx.x;
    a[t] = t;
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        b[t] = q[63 - t];
        q = p;
        p = b;
    }
    out[t] = b[t];
}

struct Place {
    int *at;
};

// [pointer] The same in objects.
//~ race
__global__ void moved_on_object_bad(int *out, int n)
{
    __shared__ int a[64], b[64];
    Place p = {a}, q = {a};
    int t = threadIdx.x;
    a[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        b[t] = q.at[63 - t]; //~ here
        q = p;
        p.at = b;
    }
    out[t] = b[t];
}

// [pointer] Where the loop is left, the pointer has been made to lead to b.
//~ race
__global__ void moved_at_break_bad(const int *c, int *out, int n)
{
    __shared__ int a[256], b[64];
    int *p = a;
    int t = threadIdx.x;
    a[t] = 0;
    a[t + 64] = 0;
    __syncthreads();
    b[t] = t; //~ here
    for (int i = 0; i < n; i++) {
        if (c[i]) {
            p = b;
            break;
        }
        p += 1;
    }
    out[t] = p[63 - t]; //~ here
}

// Both are read only, behind a barrier.
//~ race-free
__global__ void moved_at_break_ok(const int *c, int *out, int n)
{
    __shared__ int a[256], b[64];
    int *p = a;
    int t = threadIdx.x;
    a[t] = 0;
    a[t + 64] = 0;
    b[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (c[i]) {
            p = b;
            break;
        }
        p += 1;
    }
    out[t] = p[63 - t];
}
