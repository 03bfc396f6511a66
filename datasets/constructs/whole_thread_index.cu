//--blockDim=[8,8] --gridDim=[2,2]
// Construct: threadIdx, blockIdx, blockDim and gridDim as wholes, in variables, members and arguments

struct Place {
    uint3 thread;
    dim3 size;
};

__device__ int column(dim3 block, uint3 thread)
{
    return block.x * 8 + thread.x;
}

__device__ int row(const dim3 &block, const uint3 &thread)
{
    return block.y * 8 + thread.y;
}

//~ race-free
__global__ void whole_copy_ok(int *g)
{
    const uint3 t = threadIdx;
    const dim3 size = blockDim;
    g[(blockIdx.y * size.y + t.y) * 16 + blockIdx.x * size.x + t.x] = t.x;
}

// [index] The row of the block is left out.
//~ race
__global__ void whole_copy_bad(int *g)
{
    const uint3 t = threadIdx;
    const dim3 size = blockDim;
    g[t.y * 16 + blockIdx.x * size.x + t.x] = blockIdx.y; //~ here
}

//~ race-free
__global__ void whole_auto_ok(int *g)
{
    auto t = threadIdx;
    const auto &b = blockIdx;
    t.x += 8 * b.x;
    t.y += 8 * b.y;
    g[t.y * 16 + t.x] = t.x;
}

// [index] The row is counted twice in the column.
//~ race
__global__ void whole_auto_bad(int *g)
{
    auto t = threadIdx;
    const auto &b = blockIdx;
    t.x += 8 * b.x;
    t.y += 8 * b.x;
    g[t.y * 16 + t.x] = b.y; //~ here
}

// A `uint3` becomes a `dim3`.
//~ race-free
__global__ void whole_argument_ok(int *g)
{
    g[row(blockIdx, threadIdx) * 16 + column(blockIdx, threadIdx)] = threadIdx.x;
}

// [index] The thread is given for the block.
//~ race
__global__ void whole_argument_bad(int *g)
{
    g[row(blockIdx, threadIdx) * 16 + column(threadIdx, threadIdx)] = blockIdx.x; //~ here
}

//~ race-free
__global__ void whole_member_ok(int *g)
{
    Place p{threadIdx, gridDim};
    g[(blockIdx.y * p.size.x + blockIdx.x) * 64 + p.thread.y * 8 + p.thread.x] = p.thread.x;
}

// [index] The blocks of the next row begin where those of this one end.
//~ race
__global__ void whole_member_bad(int *g)
{
    Place p{threadIdx, gridDim};
    g[(blockIdx.y * (p.size.x - 1) + blockIdx.x) * 64 + p.thread.y * 8 + p.thread.x] = blockIdx.y; //~ here
}

// [divergence] The barrier is for some threads of a row.
//~ divergence
__global__ void whole_barrier_bad(int *g)
{
    const uint3 t = threadIdx;
    if (t.x < 3) __syncthreads(); //~ here
    g[(blockIdx.y * 2 + blockIdx.x) * 64 + t.y * 8 + t.x] = 1;
}
