//--blockDim=64 --gridDim=4
// Variables in shared memory that hold pointers: one thread sets them, all threads of the block use them

// One thread says which part is that of the block.
//~ race-free
__global__ void shared_pointer_ok(int *a)
{
    __shared__ int *part;
    if (threadIdx.x == 0) part = a + blockIdx.x * 64;
    __syncthreads();
    part[threadIdx.x] = threadIdx.x;
}

// [shared-cell] The parts overlap: blocks are 32 apart.
//~ race
__global__ void shared_pointer_overlap_bad(int *a)
{
    __shared__ int *part;
    if (threadIdx.x == 0) part = a + blockIdx.x * 32;
    __syncthreads();
    part[threadIdx.x] = blockIdx.x; //~ here
}

// [missing-barrier] Others read the pointer while it is being set.
//~ race
__global__ void shared_pointer_early_bad(int *a, int *out)
{
    __shared__ const int *part;
    if (threadIdx.x == 0) part = a + blockIdx.x * 64; //~ here
    out[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x]; //~ here
}

// [shared-cell] Through the pointer and by the name of the array.
//~ race
__global__ void shared_pointer_name_bad(int *a)
{
    __shared__ int *part;
    if (threadIdx.x == 0) part = a + blockIdx.x * 64;
    __syncthreads();
    part[threadIdx.x] = threadIdx.x; //~ here
    a[blockIdx.x * 64 + 63 - threadIdx.x] = threadIdx.x + 1; //~ here
}

// [shared-cell] It leads into one of two arrays.
//~ race
__global__ void shared_pointer_two_bad(int *a, int *b, int which)
{
    __shared__ int *part;
    if (threadIdx.x == 0) {
        if (which) part = a;
        else part = b;
    }
    __syncthreads();
    part[threadIdx.x] = blockIdx.x; //~ here
}

// It leads into one of two arrays, and each block has its part of both.
//~ race-free
__global__ void shared_pointer_two_ok(int *a, int *b, int which)
{
    __shared__ int *part;
    if (threadIdx.x == 0) {
        if (which) part = a;
        else part = b;
    }
    __syncthreads();
    part[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
}

// [shared-cell] The same array by its name, where that is the one.
//~ race
__global__ void shared_pointer_two_name_bad(int *a, int *b, int which)
{
    __shared__ int *part;
    if (threadIdx.x == 0) {
        part = which ? a : b;
    }
    __syncthreads();
    part[blockIdx.x * 64 + threadIdx.x] = 1; //~ here
    b[blockIdx.x * 64 + 63 - threadIdx.x] = 2; //~ here
}

// [shared-cell] Two pointers with one offset are two values.
//~ race
__global__ void shared_pointer_same_offset_bad(int *a, int *b, int *out)
{
    __shared__ int *part;
    if (threadIdx.x % 2 == 0) part = a + 5; //~ here
    else part = b + 5; //~ here
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = part[0];
}

// [shared-cell] Set again in a later round, behind where it is read.
//~ race
__global__ void shared_pointer_later_bad(int *a, int *b, int n)
{
    __shared__ int *part;
    if (threadIdx.x == 0) part = a;
    for (int i = 0; i < n; i++) {
        __syncthreads();
        if (blockIdx.x == 0) part[threadIdx.x] = i; //~ here
        b[threadIdx.x] = blockIdx.x; //~ here
        __syncthreads();
        if (threadIdx.x == 0) part = b;
    }
}

// The next part in each round.
//~ race-free
__global__ void shared_pointer_rounds_ok(int *a)
{
    __shared__ int *part;
    for (int i = 0; i < 4; i++) {
        __syncthreads();
        if (threadIdx.x == 0) part = a + (blockIdx.x * 4 + i) * 64;
        __syncthreads();
        part[threadIdx.x] = i;
    }
}

// [missing-barrier] The next part is set while others still write the last one.
//~ race
__global__ void shared_pointer_rounds_bad(int *a)
{
    __shared__ int *part;
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x == 0) part = a + (blockIdx.x * 4 + i) * 64; //~ here
        __syncthreads();
        part[threadIdx.x] = i; //~ here
    }
}

struct View { int *data; int length; };

//~ race-free
__global__ void shared_view_ok(int *a)
{
    __shared__ View view;
    if (threadIdx.x == 0) {
        view.data = a + blockIdx.x * 64;
        view.length = 60;
    }
    __syncthreads();
    if (threadIdx.x < view.length) view.data[threadIdx.x] = 1;
}

// [shared-cell]
//~ race
__global__ void shared_view_bad(int *a)
{
    __shared__ View view;
    if (threadIdx.x == 0) {
        view.data = a + blockIdx.x;
        view.length = 60;
    }
    __syncthreads();
    if (threadIdx.x < view.length) view.data[threadIdx.x] = blockIdx.x; //~ here
}

__device__ View view_of(int *a, int length)
{
    View view;
    view.data = a + blockIdx.x * 64;
    view.length = length;
    return view;
}

__device__ void fill(View view)
{
    if (threadIdx.x < view.length) view.data[threadIdx.x] = 1;
}

// A function makes it, and another uses it.
//~ race-free
__global__ void shared_view_passed_ok(int *a)
{
    __shared__ View view;
    if (threadIdx.x == 0) view = view_of(a, 60);
    __syncthreads();
    fill(view);
}

// [shared-cell] Two threads for each element.
//~ race
__global__ void shared_view_assigned_bad(int *a)
{
    __shared__ View view;
    if (threadIdx.x == 0) view = view_of(a, 60);
    __syncthreads();
    if (threadIdx.x < view.length) view.data[threadIdx.x / 2] = threadIdx.x; //~ here
}

// [shared-cell] Of two views the second is copied over the first.
//~ race
__global__ void shared_view_copied_bad(int *a, int *b)
{
    __shared__ View one, two;
    if (threadIdx.x == 0) {
        one = view_of(a, 60);
        two.data = b;
        two.length = 60;
        one = two;
    }
    __syncthreads();
    if (threadIdx.x < one.length) one.data[threadIdx.x] = blockIdx.x; //~ here
}

// One array, and another where the condition holds.
//~ race-free
__global__ void shared_pointer_default_ok(int *a, int *b, int which)
{
    __shared__ int *part;
    if (threadIdx.x == 0) {
        part = a + blockIdx.x * 64;
        if (which) part = b + blockIdx.x * 64;
    }
    __syncthreads();
    part[threadIdx.x] = which;
}

// [shared-cell] The other is one for all blocks.
//~ race
__global__ void shared_pointer_default_bad(int *a, int *b, int which)
{
    __shared__ int *part;
    if (threadIdx.x == 0) {
        part = a + blockIdx.x * 64;
        if (which) part = b;
    }
    __syncthreads();
    part[threadIdx.x] = blockIdx.x; //~ here
}

// On one of two ways there is no array.
//~ race-free
__global__ void shared_pointer_null_ok(int *a, int which)
{
    __shared__ int *part;
    if (threadIdx.x == 0) part = which ? a + blockIdx.x * 64 : nullptr;
    __syncthreads();
    if (part) part[threadIdx.x] = which;
}

// [shared-cell] On the other there is one for all blocks.
//~ race
__global__ void shared_pointer_null_bad(int *a, int which)
{
    __shared__ int *part;
    if (threadIdx.x == 0) {
        part = nullptr;
        if (which) part = a;
    }
    __syncthreads();
    if (part != nullptr) part[threadIdx.x] = blockIdx.x; //~ here
}

// [shared-cell] The address is a large number.
//~ race
__global__ void shared_pointer_number_bad(int *a)
{
    __shared__ int *part;
    if (threadIdx.x == 0) part = a + 4;
    __syncthreads();
    long long number = *(long long *)&part;
    if (blockIdx.x == 0) a[number > 100000 ? 0 : threadIdx.x] = threadIdx.x; //~ here
}

// [shared-cell] Twenty bytes are no pointer.
//~ race
__global__ void shared_pointer_twenty_bad(int *a)
{
    __shared__ int *part;
    if (threadIdx.x == 0) part = a + 5; //~ here
    if (threadIdx.x == 1) *(long long *)&part = 20; //~ here
}

struct Pair { int first, second; };

__device__ int place_of(const Pair &p) { return p.first * 2 + p.second; }

// A list in braces as an argument.
//~ race-free
__global__ void list_argument_ok(int *a)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) a[place_of({t, 1})] = t;
}

// [shared-cell]
//~ race
__global__ void list_argument_bad(int *a)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) a[place_of({t / 2, 1})] = t; //~ here
}

__device__ constexpr int log_of(int n) { return n > 1 ? 1 + log_of(n >> 1) : 0; }

// A function that calls itself, with constants.
//~ race-free
__global__ void recursive_constant_ok(int *a)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) a[t << log_of(8)] = t;
}

// [shared-cell] log 8 is 3: t / 2 and t / 2 * 8 meet.
//~ race
__global__ void recursive_constant_bad(int *a)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) a[(t / 2) << log_of(8)] = t; //~ here
}

// [heap] Memory that one thread allocates, and all threads of the block use.
//~ race
__global__ void shared_heap_bad()
{
    __shared__ int *p;
    if (threadIdx.x == 0) p = (int *)malloc(256);
    __syncthreads();
    p[threadIdx.x / 2] = threadIdx.x; //~ here
}

// Each thread has its element of it.
//~ race-free
__global__ void shared_heap_ok()
{
    __shared__ int *p;
    if (threadIdx.x == 0) p = (int *)malloc(256);
    __syncthreads();
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) free(p);
}

// [heap] Who allocated it has kept its address.
//~ race
__global__ void shared_heap_owner_bad()
{
    __shared__ int *p;
    int *mine = nullptr;
    if (threadIdx.x == 0) {
        mine = (int *)malloc(256);
        p = mine;
    }
    __syncthreads();
    if (threadIdx.x == 1) p[3] = 1; //~ here
    if (threadIdx.x == 0) mine[3] = 2; //~ here
}

// Memory that each thread allocates for itself.
//~ race-free
__global__ void own_heap_ok(int *a)
{
    int *p = (int *)malloc(256);
    p[threadIdx.x / 2] = threadIdx.x;
    if (blockIdx.x == 0) a[threadIdx.x] = p[threadIdx.x / 2];
}
