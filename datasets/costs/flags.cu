//--blockDim=64 --gridDim=2
// Barriers before what tells other blocks that something is stored. Behind each stands what is found out of it.

// What the block stored is told to others by an exchange.
//~ race-free
__global__ void barrier_flag_ok(int *flag, int *out)
{
    int t = threadIdx.x;
    out[blockIdx.x * 64 + t] = t;
    __syncthreads(); //: open
    if (t == 0) atomicExch(&flag[blockIdx.x], 1);
}

// The same by a counter of the blocks that are done.
//~ race-free
__global__ void barrier_counter_ok(int *done, int *out)
{
    int t = threadIdx.x;
    out[blockIdx.x * 64 + t] = t;
    __syncthreads(); //: open
    if (t == 0) atomicAdd(done, 1);
}

// What was added atomically is told as well.
//~ race-free
__global__ void barrier_added_flag_ok(int *flag, int *out)
{
    int t = threadIdx.x;
    atomicAdd(&out[t % 4], 1);
    __syncthreads(); //: open
    if (t == 0) atomicOr(&flag[0], 1);
}

// The flag is raised before anything is stored.
//~ race-free
__global__ void barrier_before_stores_bad(int *flag, int *out)
{
    int t = threadIdx.x;
    if (t == 0) atomicExch(&flag[blockIdx.x], 1);
    __syncthreads(); //: redundant
    out[blockIdx.x * 64 + t] = t;
}

// In the next iteration the flag tells what was stored in this one.
//~ race-free
__global__ void barrier_flag_of_rounds_ok(int *flag, int *out)
{
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t == 0) atomicExch(&flag[blockIdx.x], k);
        __syncthreads(); //: open
        out[(k * gridDim.x + blockIdx.x) * 64 + t] = t;
        __syncthreads(); //: open
    }
}
