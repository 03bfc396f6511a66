//--blockDim=64 --gridDim=1
// Construct: pointers to pointers, to locals, chosen by a condition, and arrays of pointers

__device__ void store(int *p, int v) { *p = v; }
__device__ void swap(int **a, int **b) { int *c = *a; *a = *b; *b = c; }

// A pointer to a local.
//~ race-free
__global__ void pointer_local_ok(int *g)
{
    int i = 0;
    int *p = &i;
    *p = threadIdx.x;
    g[i] = threadIdx.x;
}

// [index] The function writes the local.
//~ race
__global__ void pointer_local_bad(int *g)
{
    int i = threadIdx.x;
    store(&i, 3);
    g[i] = threadIdx.x; //~ here
}

// A pointer to a pointer is set to the thread's element.
//~ race-free
__global__ void pointer_pointer_ok()
{
    __shared__ int s[64];
    int *p = s;
    int **q = &p;
    *q = s + threadIdx.x;
    *p = threadIdx.x;
}

// [index] Through two stars the pointer goes back to the start.
//~ race
__global__ void pointer_pointer_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int *p = s + t;
    int **q = &p;
    *q = *q - t;
    *p = t; //~ here
}

// Two pointers change places.
//~ race-free
__global__ void pointer_swap_ok()
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    int *p = a, *q = b;
    swap(&p, &q);
    p[t] = t;
    a[63 - t] = t;
}

// [alias] p is b now.
//~ race
__global__ void pointer_swap_bad()
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    int *p = a, *q = b;
    swap(&p, &q);
    p[t] = t; //~ here
    b[63 - t] = 64 + t; //~ here
}

// Chosen by a condition: even threads the one array, odd ones the other.
//~ race-free
__global__ void pointer_choice_ok()
{
    __shared__ int a[32], b[32];
    int t = threadIdx.x;
    int *p = t & 1 ? a : b;
    p[t / 2] = t;
}

// [alias] Threads 0, 1 write a, and 2, 3 write b: pairs share an element.
//~ race
__global__ void pointer_choice_bad()
{
    __shared__ int a[32], b[32];
    int t = threadIdx.x;
    int *p = t & 2 ? a : b;
    p[t / 2] = t; //~ here
}

// An array of pointers with constant places.
//~ race-free
__global__ void pointer_array_ok()
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    int *rows[2] = {a, b};
    rows[0][t] = t;
    rows[1][63 - t] = t;
}

// [alias] Both entries are one array.
//~ race
__global__ void pointer_array_bad()
{
    __shared__ int a[64];
    int t = threadIdx.x;
    int *rows[2] = {a, a};
    rows[0][t] = t; //~ here
    rows[1][63 - t] = 64 + t; //~ here
}

// The entry depends on the thread.
//~ race-free
__global__ void pointer_array_thread_ok()
{
    __shared__ int a[32], b[32];
    int t = threadIdx.x;
    int *rows[2] = {a, b};
    rows[t % 2][t / 2] = t;
}

// [alias] And here is the wrong half.
//~ race
__global__ void pointer_array_thread_bad()
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    int *rows[2] = {a, b};
    rows[t / 32][t & 30] = t; //~ here
}

// Rows of a table in global memory: each thread its row.
//~ race-free
__global__ void pointer_table_ok(int **rows)
{
    int t = threadIdx.x;
    rows[0][t] = t;
}

// [index] All threads the same element of a row.
//~ race
__global__ void pointer_table_bad(int **rows)
{
    int t = threadIdx.x;
    rows[0][t / 2] = t; //~ here
}

// The difference of pointers.
//~ race-free
__global__ void pointer_difference_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int *p = &s[t];
    s[p - s] = t;
}

// [index] The difference of a pointer with itself.
//~ race
__global__ void pointer_difference_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int *p = &s[t], *q = p;
    s[q - p] = t; //~ here
}
