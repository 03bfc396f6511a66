//--blockDim=64 --gridDim=1
// Construct: byte copies of known and unknown size, cache hints, memory from the heap

// Rows of n bytes, one a thread, next to each other.
//~ race-free
__global__ void library_memcpy_rows_ok(char *to, const char *from, int n)
{
    __requires(0 < n);
    __requires(n < 1000);
    int t = threadIdx.x;
    memcpy(to + t * n, from + t * n, n);
}

// [width] One byte more than a row.
//~ race
__global__ void library_memcpy_rows_bad(char *to, const char *from, int n)
{
    __requires(0 < n);
    __requires(n < 1000);
    int t = threadIdx.x;
    memcpy(to + t * n, from + t * n, n + 1); //~ here
}

// What is copied from is read.
//~ race
__global__ void library_memcpy_source_bad(char *a, int n)
{
    __requires(0 < n);
    __requires(n < 1000);
    int t = threadIdx.x;
    char mine[1000];
    memcpy(mine, a, n); //~ here
    a[t] = mine[0]; //~ here
}

//~ race-free
__global__ void library_memset_ok(int *a)
{
    int t = threadIdx.x;
    memset(&a[t], 0, sizeof(int));
}

// [width] Twice the size of an element.
//~ race
__global__ void library_memset_bad(int *a)
{
    int t = threadIdx.x;
    memset(&a[t], t, 2 * sizeof(int)); //~ here
}

// A copy of a whole value keeps it.
//~ race-free
__global__ void library_memcpy_value_ok(int *out)
{
    int t = threadIdx.x, i;
    memcpy(&i, &t, sizeof(i));
    out[i] = t;
}

// [index]
//~ race
__global__ void library_memcpy_value_bad(int *out)
{
    int t = threadIdx.x, i, h = t / 2;
    memcpy(&i, &h, sizeof(i));
    out[i] = t; //~ here
}

// Two comparing threads only read.
//~ race-free
__global__ void library_memcmp_ok(const char *a, int *out)
{
    int t = threadIdx.x;
    out[t] = memcmp(a, a + t, 16);
}

// [index] One of them writes what the other compares.
//~ race
__global__ void library_memcmp_bad(char *a, int *out)
{
    int t = threadIdx.x;
    if (t == 0) a[3] = 1; //~ here
    out[t] = memcmp(a, a + 64, 16); //~ here
}

// Loads and stores with cache hints are accesses like others.
//~ race-free
__global__ void library_hints_ok(const float4 *a, float4 *b)
{
    int t = threadIdx.x;
    __stcs(&b[t], __ldg(&a[t]));
    float4 v = __ldcg(b + t);
    __stwt(b + t, v);
}

// [index]
//~ race
__global__ void library_hints_bad(float4 *b)
{
    int t = threadIdx.x;
    __stcg(&b[t], __ldcv(&b[63 - t])); //~ here
}

// Memory from the heap is the thread's own.
//~ race-free
__global__ void library_malloc_ok(int *out)
{
    int t = threadIdx.x;
    int *mine = (int *)malloc(4 * sizeof(int));
    mine[0] = t;
    mine[t & 3] = t;
    out[t] = mine[0];
    free(mine);
}

// [shared-array] What it is copied to is not.
//~ race
__global__ void library_malloc_bad(int *out)
{
    int t = threadIdx.x;
    int *mine = (int *)malloc(4 * sizeof(int));
    mine[0] = t;
    memcpy(out, mine, sizeof(int)); //~ here
    free(mine);
}
