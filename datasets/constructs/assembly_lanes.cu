//--blockDim=64 --gridDim=2
// Construct: inline assembly that asks for the own lane, for those beside it, and for one of them

__device__ unsigned below()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

__device__ unsigned own()
{
    unsigned mask;
    asm("mov.b32 %0, %%lanemask_eq;" : "=r"(mask));
    return mask;
}

// Each lane that votes yes draws a place of its own.
//~ race-free
__global__ void lanes_below_ok(const int *a, int *out)
{
    __shared__ int box[2][32];
    int v = a[threadIdx.x];
    unsigned yes = __ballot_sync(0xffffffffu, v > 0);
    if (v > 0) box[threadIdx.x / 32][__popc(yes & below())] = v;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = box[threadIdx.x / 32][0];
}

// [index] The count of all lanes that vote yes is the same for all of them.
//~ race
__global__ void lanes_below_bad(const int *a, int *out)
{
    __shared__ int box[2][33];
    int v = a[threadIdx.x];
    unsigned yes = __ballot_sync(0xffffffffu, v > 0);
    if (v > 0) box[threadIdx.x / 32][__popc(yes & (below() | ~below()))] = v; //~ here
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = box[threadIdx.x / 32][0];
}

// The first lane of each warp: no lane is below it.
//~ race-free
__global__ void lanes_none_ok(int *g)
{
    if (below() == 0) g[blockIdx.x * 2 + threadIdx.x / 32] = 1;
}

// [guard] Of each warp one lane, and both warps store to one place.
//~ race
__global__ void lanes_none_bad(int *g)
{
    if (below() == 0) g[blockIdx.x] = threadIdx.x; //~ here
}

// The own bit, among those of a mask that is known.
//~ race-free
__global__ void lanes_own_ok(int *g)
{
    if (own() & 0x0000ffffu) g[blockIdx.x * 64 + threadIdx.x / 32 * 32 + threadIdx.x % 16] = 1;
}

// [guard] Of all lanes, two store to each place.
//~ race
__global__ void lanes_own_bad(int *g)
{
    if (own() & 0xffffffffu) g[blockIdx.x * 64 + threadIdx.x / 32 * 32 + threadIdx.x % 16] = threadIdx.x; //~ here
}

__device__ bool elected()
{
    unsigned chosen = 0;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "elect.sync _|p, 0xffffffff;\n"
                 "selp.b32 %0, 1, 0, p;\n"
                 "}\n"
                 : "=r"(chosen));
    return chosen != 0;
}

// One lane of each warp, whichever it is.
//~ race-free
__global__ void lanes_elected_ok(int *g)
{
    if (elected()) g[blockIdx.x * 2 + threadIdx.x / 32] = 1;
}

// [guard] Both warps of the block elect one.
//~ race
__global__ void lanes_elected_bad(int *g)
{
    if (elected()) g[blockIdx.x] = threadIdx.x; //~ here
}

// [guard] The first lane need not be the one that is elected.
//~ race
__global__ void lanes_elected_first_bad(int *g)
{
    if (elected()) g[blockIdx.x * 2 + threadIdx.x / 32] = 1; //~ here
    if (threadIdx.x % 32 == 0) g[blockIdx.x * 2 + threadIdx.x / 32] = 2; //~ here
}

__device__ unsigned field(unsigned v)
{
    unsigned r;
    asm("bfe.u32 %0, %1, 3, 3;" : "=r"(r) : "r"(v));
    return r;
}

// Three bits of the number of the thread, and the others beside them.
//~ race-free
__global__ void lanes_field_ok(int *g)
{
    g[blockIdx.x * 64 + field(threadIdx.x) * 8 + (threadIdx.x & 7)] = 1;
}

// [index] The field alone is that of eight threads.
//~ race
__global__ void lanes_field_bad(int *g)
{
    g[blockIdx.x * 64 + field(threadIdx.x)] = threadIdx.x; //~ here
}

__device__ unsigned either(unsigned a, unsigned b)
{
    unsigned r;
    asm("lop3.b32 %0, %1, %2, 0, 0xfc;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

// A table of the bits of both: their disjunction.
//~ race-free
__global__ void lanes_table_ok(int *g)
{
    g[blockIdx.x * 64 + either(threadIdx.x & 56, threadIdx.x & 7)] = 1;
}

// [index] Without the lowest bit two threads meet.
//~ race
__global__ void lanes_table_bad(int *g)
{
    g[blockIdx.x * 64 + either(threadIdx.x & 56, threadIdx.x & 6)] = threadIdx.x; //~ here
}
