//--blockDim=64 --gridDim=2
// Construct: pointers into arrays, with arithmetic, differences and subscripts

// p points to the block's part, q to the thread's element.
//~ race-free
__global__ void pointer_arithmetic_ok(int *g, int n)
{
    int *p = g + blockIdx.x * blockDim.x;
    int *q = &p[threadIdx.x];
    *q = 1;
    q += gridDim.x * blockDim.x;
    *(q - 0) = 2;
}

// [cross-block] The block's offset is counted in threads of half a block: parts overlap.
//~ race
__global__ void pointer_arithmetic_bad(int *g)
{
    int *p = g + blockIdx.x * (blockDim.x / 2);
    *(p + threadIdx.x) = blockIdx.x; //~ here
}

// [pointer] The pointer moves in the loop by one, the threads start one apart.
//~ race
__global__ void pointer_loop_bad(int *g)
{
    int *p = g + blockIdx.x * 256 + threadIdx.x;
    for (int i = 0; i < 4; i++) {
        *p = i; //~ here
        p++;
    }
}

// The pointer moves by a block.
//~ race-free
__global__ void pointer_loop_ok(int *g)
{
    int *p = g + blockIdx.x * 256 + threadIdx.x;
    for (int i = 0; i < 4; i++) {
        *p = i;
        p += blockDim.x;
    }
}

// The loop runs until the pointer reaches the end of the row.
//~ race-free
__global__ void pointer_end_ok(int *g)
{
    int *p = g + (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    int *end = p + 8;
    for (; p < end; p++) *p = 0;
}

// [pointer] A negative subscript of a pointer into the middle: the element of the thread before.
//~ race
__global__ void pointer_negative_bad(int *g)
{
    int *p = g + 128 + blockIdx.x * 64 + threadIdx.x;
    p[0] = 1; //~ here
    p[-1] = 2; //~ here
}
