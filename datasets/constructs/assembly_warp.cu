//--blockDim=64 --gridDim=2
// Construct: inline assembly by which lanes hand round values: shfl.sync, vote.sync, redux.sync, bar.warp.sync

__device__ __forceinline__ int from_first(int x)
{
    int got;
    asm volatile("shfl.sync.idx.b32 %0, %1, 0, 0x1f, 0xffffffff;" : "=r"(got) : "r"(x));
    return got;
}

__device__ __forceinline__ unsigned votes(int yes)
{
    unsigned all;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(all) : "r"(yes));
    return all;
}

// The number of the warp is handed round by its first lane: it stays what it was.
//~ race-free
__global__ void assembly_warp_number_ok(int *out)
{
    __shared__ int sums[2];
    int w = from_first(threadIdx.x / 32);
    if (threadIdx.x % 32 == 0) sums[w] = w;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = sums[1 - w];
}

// [index] The lane is handed round instead: both warps get 0.
//~ race
__global__ void assembly_warp_lane_bad(int *out)
{
    __shared__ int sums[2];
    int w = from_first(threadIdx.x % 32);
    if (threadIdx.x % 32 == 0) sums[w] = threadIdx.x; //~ here
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = sums[0];
}

// Each lane that votes yes draws a place of its own.
//~ race-free
__global__ void assembly_warp_rank_ok(const int *a, int *out)
{
    __shared__ int box[2][32];
    int v = a[blockIdx.x * 64 + threadIdx.x];
    unsigned yes = votes(v > 0);
    if (v > 0) box[threadIdx.x / 32][__popc(yes & ((1u << (threadIdx.x % 32)) - 1))] = v;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = box[threadIdx.x / 32][0];
}

// [index] The count of all that vote yes is one place for all of them.
//~ race
__global__ void assembly_warp_count_bad(const int *a, int *out)
{
    __shared__ int box[2][33];
    int v = a[blockIdx.x * 64 + threadIdx.x];
    unsigned yes = votes(v > 0);
    if (v > 0) box[threadIdx.x / 32][__popc(yes)] = v; //~ here
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = box[threadIdx.x / 32][0];
}

// [handed round] A shuffle brings the lanes together and orders no memory.
//~ race
__global__ void assembly_warp_shuffle_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    int got;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(got) : "r"(threadIdx.x));
    out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 1] + got; //~ here
}

// A barrier of the warp, with a mask that is computed.
//~ race-free
__global__ void assembly_warp_barrier_ok(int *out)
{
    __shared__ int s[64];
    unsigned half = 0xffffu << (threadIdx.x & 16);
    s[threadIdx.x] = threadIdx.x;
    asm volatile("bar.warp.sync %0;" ::"r"(half) : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 1];
}

// [other half] The mask leaves out the lane that is read.
//~ race
__global__ void assembly_warp_barrier_bad(int *out)
{
    __shared__ int s[64];
    unsigned half = 0xffffu << (threadIdx.x & 16);
    s[threadIdx.x] = threadIdx.x; //~ here
    asm volatile("bar.warp.sync %0;" ::"r"(half) : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 16]; //~ here
}

// Only half of the warp comes to a reduction that names all of it.
//~ divergence
__global__ void assembly_warp_half_bad(const int *a, int *out)
{
    int sum = 0;
    if (threadIdx.x % 32 < 16)
        asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(a[threadIdx.x])); //~ here
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
