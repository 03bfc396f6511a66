//--blockDim=64 --gridDim=4
// What one thread stores for its block depends on conditions that the whole block shares

// Both ways are known, and so are their conditions.
//~ race-free
__global__ void choice_two_ways_ok(int *a, int n)
{
    __shared__ int start;
    if (threadIdx.x == 0) {
        if (n > 5) start = blockIdx.x * 64;
        else start = 1024 + blockIdx.x * 64;
    }
    __syncthreads();
    a[start + threadIdx.x] = n;
}

// [shared-cell] On the second way blocks are 32 apart.
//~ race
__global__ void choice_two_ways_bad(int *a, int n)
{
    __shared__ int start;
    if (threadIdx.x == 0) {
        if (n > 5) start = blockIdx.x * 64;
        else start = 1024 + blockIdx.x * 32;
    }
    __syncthreads();
    a[start + threadIdx.x] = blockIdx.x; //~ here
}

// One value, and another where the condition holds.
//~ race-free
__global__ void choice_default_ok(int *a, int n)
{
    __shared__ int start;
    if (threadIdx.x == 0) {
        start = blockIdx.x * 64;
        if (n > 5) start = 1024 + blockIdx.x * 64;
    }
    __syncthreads();
    a[start + threadIdx.x] = n;
}

// [shared-cell] The other is one for all blocks.
//~ race
__global__ void choice_default_bad(int *a, int n)
{
    __shared__ int start;
    if (threadIdx.x == 0) {
        start = blockIdx.x * 64;
        if (n > 5) start = 1024;
    }
    __syncthreads();
    a[start + threadIdx.x] = blockIdx.x; //~ here
}

// Two threads, of which one writes.
//~ race-free
__global__ void choice_two_threads_ok(int *a, int n)
{
    __shared__ int start;
    if (threadIdx.x == 0 && n > 5) start = blockIdx.x * 64;
    if (threadIdx.x == 32 && n <= 5) start = 1024 + blockIdx.x * 64;
    __syncthreads();
    a[start + threadIdx.x] = n;
}

// [shared-cell] Where n is 5 both write.
//~ race
__global__ void choice_two_threads_bad(int *a, int n)
{
    __shared__ int start;
    if (threadIdx.x == 0 && n >= 5) start = blockIdx.x * 64; //~ here
    if (threadIdx.x == 32 && n <= 5) start = 1024 + blockIdx.x * 64; //~ here
    __syncthreads();
    a[start + threadIdx.x] = n;
}

// [shared-cell] What overwrites it depends on the thread.
//~ race
__global__ void choice_of_thread_bad(int *a, const int *flags)
{
    __shared__ int start;
    if (threadIdx.x == 0) start = blockIdx.x * 64;
    __syncthreads();
    if (threadIdx.x == 5 && flags[threadIdx.x]) start = 0;
    __syncthreads();
    a[start + threadIdx.x] = blockIdx.x; //~ here
}

// [shared-cell] In one round of a loop it is overwritten.
//~ race
__global__ void choice_in_round_bad(int *a, int n)
{
    __shared__ int start;
    if (threadIdx.x == 0) start = blockIdx.x * 64;
    for (int i = 0; i < n; i++) {
        if (i == 3) {
            if (threadIdx.x == 0) start = 0;
        }
        __syncthreads();
    }
    __syncthreads();
    a[start + threadIdx.x] = blockIdx.x; //~ here
}

// Each round has its way.
//~ race-free
__global__ void choice_rounds_ok(int *a, int n)
{
    __shared__ int start;
    for (int i = 0; i < 4; i++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            if (i == n) start = (blockIdx.x * 4 + i) * 64;
            else start = 1024 + (blockIdx.x * 4 + i) * 64;
        }
        __syncthreads();
        a[start + threadIdx.x] = i;
    }
}

// [carried] On the way without a store it is that of the last round.
//~ race
__global__ void choice_kept_bad(int *a, int n)
{
    __shared__ int start;
    if (threadIdx.x == 0) start = 0;
    for (int i = 0; i < 4; i++) {
        __syncthreads();
        if (threadIdx.x == 0 && i != n) start = (blockIdx.x * 4 + i) * 64;
        __syncthreads();
        a[start + threadIdx.x] = blockIdx.x; //~ here
    }
}

struct Bounds { int first, second; };

// Members that lie beside each other are stores of their own.
//~ race-free
__global__ void choice_members_ok(int *a)
{
    __shared__ Bounds bounds;
    if (threadIdx.x == 0) {
        bounds.first = blockIdx.x * 64;
        bounds.second = 60;
    }
    __syncthreads();
    if (threadIdx.x < bounds.second) a[bounds.first + threadIdx.x] = 1;
}

// [shared-cell] Both are overwritten at once.
//~ race
__global__ void choice_whole_bad(int *a)
{
    __shared__ Bounds bounds;
    if (threadIdx.x == 0) {
        bounds.first = blockIdx.x * 64;
        bounds.second = 60;
        *(long long *)&bounds = 60ll << 32;
    }
    __syncthreads();
    if (threadIdx.x < bounds.second) a[bounds.first + threadIdx.x] = blockIdx.x; //~ here
}

// [shared-cell] A byte of one of them is.
//~ race
__global__ void choice_byte_bad(int *a)
{
    __shared__ Bounds bounds;
    if (threadIdx.x == 0) {
        bounds.first = blockIdx.x * 64;
        bounds.second = 60;
        ((unsigned char *)&bounds)[0] = 0;
    }
    __syncthreads();
    if (threadIdx.x < bounds.second) a[bounds.first + threadIdx.x] = blockIdx.x; //~ here
}

// A copy of the object has what its members were set to.
//~ race-free
__global__ void choice_copy_ok(int *a)
{
    __shared__ Bounds bounds;
    if (threadIdx.x == 0) {
        bounds.first = blockIdx.x * 64;
        bounds.second = 60;
    }
    __syncthreads();
    Bounds mine = bounds;
    if (threadIdx.x < mine.second) a[mine.first + threadIdx.x] = 1;
}

// [shared-cell] The members change places.
//~ race
__global__ void choice_copy_bad(int *a)
{
    __shared__ Bounds bounds;
    if (threadIdx.x == 0) {
        bounds.first = blockIdx.x * 64;
        bounds.second = 64;
    }
    __syncthreads();
    Bounds mine = bounds;
    if (threadIdx.x < mine.first) a[mine.second + threadIdx.x] = blockIdx.x; //~ here
}
