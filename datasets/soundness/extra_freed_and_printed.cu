//--blockDim=64 --gridDim=2
// Accesses that no assignment shows: the end of memory from the heap, strings that are printed; and shared memory that nobody wrote.

// [hidden-change] One thread frees what the others still write.
//~ race
__global__ void freed_early_bad()
{
    __shared__ int *p;
    if (threadIdx.x == 0) p = (int *)malloc(64 * sizeof(int));
    __syncthreads();
    p[threadIdx.x] = threadIdx.x; //~ here
    if (threadIdx.x == 0) free(p); //~ here
}

// Behind a barrier.
//~ race-free
__global__ void freed_late_ok()
{
    __shared__ int *p;
    if (threadIdx.x == 0) p = (int *)malloc(64 * sizeof(int));
    __syncthreads();
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) free(p);
}

// Each thread frees its own.
//~ race-free
__global__ void freed_own_ok(int *out)
{
    int *p = (int *)malloc(4 * sizeof(int));
    p[threadIdx.x % 4] = threadIdx.x;
    out[blockIdx.x * 64 + threadIdx.x] = p[threadIdx.x % 4];
    free(p);
}

// [hidden-change] One thread frees an element of a table that others read through.
//~ race
__global__ void freed_element_bad(int **table, int *out)
{
    int *p = table[0];
    if (threadIdx.x == 1) {
        free(p); //~ here
    } else {
        out[blockIdx.x * 64 + threadIdx.x] = p[threadIdx.x]; //~ here
    }
}

// [hidden-change] A string is read while it is written.
//~ race
__global__ void printed_string_bad(char *text)
{
    if (threadIdx.x == 0) {
        text[0] = 'a'; //~ here
    } else {
        printf("%-8s\n", text); //~ here
    }
}

// The address is printed, and literals are.
//~ race-free
__global__ void printed_address_ok(char *text)
{
    if (threadIdx.x + blockIdx.x == 0) {
        text[0] = 'a';
    } else {
        printf("%p %s %5.2f%%\n", text, threadIdx.x > 3 ? "high" : "low", 0.5);
    }
}

// [hidden-change] Each block has another first cell, with whatever it held before.
//~ race
__global__ void unwritten_shared_bad(int *out)
{
    __shared__ int cells[4];
    out[0] = cells[0]; //~ here
}

// The threads of one block write the same.
//~ race-free
__global__ void unwritten_shared_ok(int *out)
{
    __shared__ int cells[4];
    out[blockIdx.x] = cells[0];
}
