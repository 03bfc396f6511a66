// Rows of blocks in `int`: a witness keeps to what its report assumes, that sums and products of indices and sizes do not wrap

// [constructs] A row for each block, whose start is an `int`.
//~ race-free
__global__ void assumed_row_ok(int *d, int n)
{
    int start = blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        d[start + i] = blockIdx.x;
}

// [constructs] One element too many.
//~ race
__global__ void assumed_row_bad(int *d, int n)
{
    int start = blockIdx.x * n;
    for (int i = threadIdx.x; i <= n; i += blockDim.x)
        d[start + i] = blockIdx.x; //~ here
}

// [constructs] A segment for each thread of the grid.
//~ race-free
__global__ void assumed_segment_ok(int *d, int length)
{
    int start = (blockIdx.x * blockDim.x + threadIdx.x) * length;
    for (int i = 0; i < length; i++)
        d[start + i] = start;
}

// [constructs] Threads are counted within their blocks only.
//~ race
__global__ void assumed_segment_bad(int *d, int length)
{
    int start = threadIdx.x * length;
    for (int i = 0; i < length; i++)
        d[start + i] = start + blockIdx.x; //~ here
}

// [constructs] The end of a chunk is the smaller of two.
//~ race-free
__global__ void assumed_end_ok(int *d, int n)
{
    int first = threadIdx.x * 4;
    int end = min(first + 4, n);
    for (int i = first; i < end; i++)
        d[blockIdx.x * n + i] = threadIdx.x;
}

// [constructs] The larger of two: the last chunk of a row lies in the next one.
//~ race
__global__ void assumed_end_bad(int *d, int n)
{
    int first = threadIdx.x * 4;
    int end = max(first + 4, n);
    for (int i = first; i < end; i++)
        d[blockIdx.x * n + i] = threadIdx.x; //~ here
}
