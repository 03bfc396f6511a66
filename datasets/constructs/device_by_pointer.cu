//--blockDim=64 --gridDim=1
// Construct: device functions that get pointers to shared, global and local memory

__device__ void fill_row(int *row, int n, int v)
{
    for (int i = 0; i < n; i++) row[i] = v;
}
__device__ void fill_row_racy(int *row, int n, int v)
{
    for (int i = 0; i < n; i++) row[i] = v; //~ here
}
__device__ int first_of(const int *row) { return row[0]; }
__device__ int *row_of(int *base, int t) { return base + 4 * t; }

// Rows of four at a distance of four, in three memories.
//~ race-free
__global__ void device_by_pointer_ok(int *g)
{
    __shared__ int s[256];
    int a[4];
    int t = threadIdx.x;
    fill_row(s + 4 * t, 4, t);
    fill_row(&g[4 * t], 4, t);
    fill_row(a, 4, t);
    g[4 * t] = first_of(a);
}

// [extent] Rows of five at a distance of four.
//~ race
__global__ void device_by_pointer_bad()
{
    __shared__ int s[264];
    int t = threadIdx.x;
    fill_row_racy(s + 4 * t, 5, t);
}

// The callee returns the pointer.
//~ race-free
__global__ void device_returns_pointer_ok()
{
    __shared__ int s[256];
    int *p = row_of(s, threadIdx.x);
    p[0] = 1;
    p[3] = 2;
}

// [extent] p[4] is the next row.
//~ race
__global__ void device_returns_pointer_bad()
{
    __shared__ int s[264];
    int *p = row_of(s, threadIdx.x);
    p[0] = 1; //~ here
    p[4] = 2; //~ here
}
