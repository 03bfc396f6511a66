//--blockDim=64 --gridDim=1
// Threads that store pointers: the same one is the same bytes.

struct Link { Link *next; int value; };

//~ race-free
__global__ void store_same_ok(int **out, int *a)
{
    out[0] = a;
}

//~ race-free
__global__ void store_null_ok(const char **out)
{
    out[0] = nullptr;
}

//~ race-free
__global__ void store_member_ok(Link *links, Link *other)
{
    links[0].next = other;
    links[0].value = 1;
}

//~ race-free
__global__ void store_chosen_ok(int **out, int *a, int *b, int n)
{
    out[0] = n > 3 ? a : b;
}

// [shared-cell] Each thread stores another place.
//~ race
__global__ void store_own_bad(int **out, int *a)
{
    out[0] = a + threadIdx.x; //~ here
}

// [shared-cell] One of two arrays, by the thread.
//~ race
__global__ void store_either_bad(int **out, int *a, int *b)
{
    out[0] = threadIdx.x > 3 ? a : b; //~ here
}

// [shared-cell] What each thread allocates is another piece of memory.
//~ race
__global__ void store_allocated_bad(int **out)
{
    out[0] = (int *)malloc(4); //~ here
}

// [shared-cell] What a thread writes into its own piece before meets nothing of the others.
//~ race
__global__ void store_filled_bad(int **out)
{
    int *own = (int *)malloc(8);
    own[0] = threadIdx.x;
    own[1] = 0;
    out[0] = own; //~ here
}

// [shared-cell] In shared memory too.
//~ race
__global__ void store_allocated_shared_bad()
{
    __shared__ int *p;
    p = (int *)malloc(4); //~ here
}

// [shared-cell] What is stored is read back while others store it, and written through.
//~ race
__global__ void store_through_bad(int **out, int *a)
{
    out[0] = a; //~ here
    int *p = out[0]; //~ here
    p[threadIdx.x / 2] = threadIdx.x; //~ here
}

// Behind a barrier it is there.
//~ race-free
__global__ void store_through_ok(int **out, int *a)
{
    out[0] = a;
    __syncthreads();
    int *p = out[0];
    p[threadIdx.x] = threadIdx.x;
}

// [shared-cell] What was stored is read as a number, which is not 0.
//~ race
__global__ void store_number_bad(int **out, int *a, int *flag)
{
    out[0] = a;
    __syncthreads();
    if (((long *)out)[0] != 0) flag[0] = threadIdx.x; //~ here
}

// [shared-cell] The bytes are copied.
//~ race
__global__ void store_copied_bad(int **out, int *a, int *flag)
{
    out[0] = a;
    __syncthreads();
    long number;
    memcpy(&number, out, 8);
    if (number != 0) flag[0] = threadIdx.x; //~ here
}
