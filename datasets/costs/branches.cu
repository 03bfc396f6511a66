//--blockDim=64 --gridDim=2
// Branches on the thread, in blocks of two warps. Behind each stands in how many arrivals of warps their lanes differ; `told` if it costs.

// Every second lane, with an access on both sides.
//~ race-free
__global__ void branch_parity_bad(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i % 2 == 0) a[i] = 1; //: differ 4 of 4, told
    else b[i] = 2;
}

// The bound is that of a warp: whole warps go each way.
//~ race-free
__global__ void branch_warps_ok(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x < 32) a[i] = 1; //: differ 0 of 4
    else b[i] = 2;
}

// One more than a warp: the second warp of each block is cut.
//~ race-free
__global__ void branch_past_warp_bad(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x < 33) a[i] = 1; //: differ 2 of 4, told
    else b[i] = 2;
}

// Warps by number.
//~ race-free
__global__ void branch_by_warp_ok(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x / 32 % 2 == 1) a[i] = 1; //: differ 0 of 4
    else b[i] = 2;
}

// Pairs of lanes.
//~ race-free
__global__ void branch_pairs_bad(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x / 2 % 2 == 1) a[i] = 1; //: differ 4 of 4, told
    else b[i] = 2;
}

// The block decides.
//~ race-free
__global__ void branch_block_ok(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (blockIdx.x == 0) a[i] = 1; //: differ 0 of 4
    else b[i] = 2;
}

// One warp of four is cut, and the other side has nothing to do.
//~ race-free
__global__ void branch_edge_ok(float *a)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < 8) a[i] = 1; //: differ 1 of 4
}

// One warp of four is cut, and both sides have accesses.
//~ race-free
__global__ void branch_edge_bad(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < 8) a[i] = 1; //: differ 1 of 4, told
    else b[i] = 2;
}

// Half of the lanes are idle in every warp.
//~ race-free
__global__ void branch_idle_bad(float *a)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x % 32 < 16) a[i] = 1; //: differ 4 of 4, told
}

// The bound is beyond the launch.
//~ race-free
__global__ void branch_all_ok(float *a)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < 128) a[i] = 1; //: differ 0 of 4
}

// Only the first warp of a block gets to the second branch.
//~ race-free
__global__ void branch_nested_bad(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x < 32) { //: differ 0 of 4
        if (threadIdx.x % 4 == 0) a[i] = 1; //: differ 2 of 2, told
        else b[i] = 2;
    }
}

// One lane of each warp gets to the second branch: alone it differs from no other.
//~ race-free
__global__ void branch_leader_bad(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x % 32 == 0) { //: differ 4 of 4, told
        if (threadIdx.x == 0) a[i] = 1; //: differ 0 of 4
        else b[i] = 2;
    }
}

// In each of four iterations another lane of four.
//~ race-free
__global__ void branch_turns_bad(float *a)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x % 4 == k) a[i] = k; //: differ 16 of 16, told
    }
}

// A shrinking front: whole warps first, then parts of one.
//~ race-free
__global__ void branch_front_bad(float *a)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    for (int d = 64; d > 0; d /= 2) {
        if (threadIdx.x < d) a[i] = d; //: differ 10 of 28
    }
}

// Lanes that have left do not count.
//~ race-free
__global__ void branch_left_bad(float *a)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x % 2 == 1) return; //: differ 4 of 4, told
    if (threadIdx.x % 4 == 0) a[i] = 1; //: differ 4 of 4, told
}

// Both sides read, one way or the other.
//~ race-free
__global__ void branch_reads_bad(float *out, const float *a, const float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float v;
    if (threadIdx.x & 8) v = a[i]; //: differ 4 of 4, told
    else v = b[i];
    out[i] = v;
}

// What lies behind the return is the other side: both are done, one after the other.
//~ race-free
__global__ void branch_behind_return_bad(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < 20) { //: differ 1 of 4, told
        a[i] = 1;
        return;
    }
    b[i] = 2;
}

// Whole warps leave.
//~ race-free
__global__ void branch_behind_return_ok(float *a, float *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < 32) { //: differ 0 of 4
        a[i] = 1;
        return;
    }
    b[i] = 2;
}
