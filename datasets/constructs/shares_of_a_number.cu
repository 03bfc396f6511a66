// Construct: each block or thread has a share of a number of elements, the last one less

// The share is rounded up, and the end is the smaller of two.
//~ race-free
__global__ void share_block_ok(int *g, int n)
{
    int share = (n + gridDim.x - 1) / gridDim.x;
    int first = blockIdx.x * share;
    int last = min(first + share, n);
    for (int i = first + threadIdx.x; i < last; i += blockDim.x) g[i] = blockIdx.x;
}

// [extent] The end is in the next share.
//~ race
__global__ void share_block_bad(int *g, int n)
{
    int share = (n + gridDim.x - 1) / gridDim.x;
    int first = blockIdx.x * share;
    int last = min(first + share, n);
    for (int i = first + threadIdx.x; i <= last; i += blockDim.x) g[i] = blockIdx.x; //~ here
}

// [extent] The larger of two is no end of the share.
//~ race
__global__ void share_larger_bad(int *g, int n)
{
    int share = (n + gridDim.x - 1) / gridDim.x;
    int first = blockIdx.x * share;
    int last = max(first + share, n);
    for (int i = first + threadIdx.x; i < last; i += blockDim.x) g[i] = blockIdx.x; //~ here
}

// The end is cut by an `if`.
//~ race-free
__global__ void share_cut_ok(int *g, int n)
{
    int share = (n + blockDim.x - 1) / blockDim.x;
    int first = threadIdx.x * share;
    int last = first + share;
    if (last > n) last = n;
    for (int i = first; i < last; i++) g[blockIdx.x * n + i] = blockIdx.x;
}

// [extent] It is cut where it is smaller already.
//~ race
__global__ void share_cut_bad(int *g, int n)
{
    int share = (n + blockDim.x - 1) / blockDim.x;
    int first = threadIdx.x * share;
    int last = first + share;
    if (last < n) last = n;
    for (int i = first; i < last; i++) g[blockIdx.x * n + i] = threadIdx.x; //~ here
}

// All threads of the grid share, with numbers that have a sign.
//~ race-free
__global__ void share_thread_ok(int *g, int n)
{
    int threads = blockDim.x * gridDim.x;
    int share = (n + threads - 1) / threads;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int first = t * share;
    int last = min(first + share, n);
    for (int i = first; i < last; i++) g[i] = t;
}

// [stride] The shares overlap.
//~ race
__global__ void share_thread_bad(int *g, int n)
{
    int threads = blockDim.x * gridDim.x;
    int share = (n + threads - 1) / threads;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int first = t * (share - 1);
    int last = min(first + share, n);
    for (int i = first; i < last; i++) g[i] = t; //~ here
}

// The share is given.
//~ race-free
__global__ void share_given_ok(int *g, int n, int share)
{
    int first = blockIdx.x * share;
    int last = min(first + share, n);
    for (int i = first + threadIdx.x; i < last; i += blockDim.x) g[i] = blockIdx.x;
}

// Rows of a given width.
//~ race-free
__global__ void share_rows_ok(int *g, int width)
{
    if (threadIdx.x < width) g[blockIdx.x * width + threadIdx.x] = blockIdx.x;
}

// [extent] One more than the width.
//~ race
__global__ void share_rows_bad(int *g, int width)
{
    if (threadIdx.x <= width) g[blockIdx.x * width + threadIdx.x] = blockIdx.x; //~ here
}

// [extent] A number that is known to be negative is no size: rows backwards, one more than there is place for.
//~ race
__global__ void share_negative_bad(int *g, int n)
{
    __requires(n < 0);
    int t = threadIdx.x;
    if (t <= -n) g[blockIdx.x * n + t] = blockIdx.x; //~ here
}

// A pointer walks over the share.
//~ race-free
__global__ void share_pointer_ok(int *g, int n)
{
    int *p = g + (blockIdx.x * blockDim.x + threadIdx.x) * n;
    int *last = p + n;
    while (p < last) *p++ = threadIdx.x;
}

// [extent] Up to the first of the next, inclusive.
//~ race
__global__ void share_pointer_bad(int *g, int n)
{
    int *p = g + (blockIdx.x * blockDim.x + threadIdx.x) * n;
    int *last = p + n;
    while (p <= last) *p++ = threadIdx.x; //~ here
}
