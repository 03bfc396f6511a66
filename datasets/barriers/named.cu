//--blockDim=128 --gridDim=2
// Named barriers: by id, for as many threads as they say.

// Without a count a named barrier is for the whole block.
//~ race-free
__global__ void named_whole_ok(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    asm volatile("bar.sync 1;");
    out[blockIdx.x * 128 + t] = s[127 - t];
}

// [count] The first half waits, the second half does not.
//~ race
__global__ void named_half_bad(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (t < 64) asm volatile("bar.sync 1, 64;");
    out[blockIdx.x * 128 + t] = s[127 - t]; //~ here
}

// Each half waits for itself.
//~ race-free
__global__ void named_half_ok(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 64) asm volatile("bar.sync 1, 64;");
    else asm volatile("bar.sync 2, 64;");
    out[blockIdx.x * 128 + t] = s[t ^ 63];
}

// [ids] The halves wait at barriers of different ids, not for each other.
//~ race
__global__ void named_ids_bad(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (t < 64) asm volatile("bar.sync 1, 64;");
    else asm volatile("bar.sync 2, 64;");
    out[blockIdx.x * 128 + t] = s[t ^ 64]; //~ here
}

// The id is computed: four groups of a warp.
//~ race-free
__global__ void named_computed_ok(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int id = 1 + t / 32;
    s[t] = t;
    asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(32));
    out[blockIdx.x * 128 + t] = s[t ^ 31];
}

// [ids] The partner is in the next group.
//~ race
__global__ void named_computed_bad(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int id = 1 + t / 32;
    s[t] = t; //~ here
    asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(32));
    out[blockIdx.x * 128 + t] = s[t ^ 32]; //~ here
}

// The intrinsic.
//~ race-free
__global__ void named_intrinsic_ok(int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (t < 96) {
            s[t] = i;
            __barrier_sync_count(3, 96);
            out[blockIdx.x * 128 + t] = s[95 - t];
            __barrier_sync_count(3, 96);
        }
    }
}

// [ids] Both halves use one id for 64 threads: who waits for whom is open.
//~ unknown
__global__ void named_shared_id(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 64) asm volatile("bar.sync 1, 64;");
    else asm volatile("bar.sync 1, 64;");
    out[blockIdx.x * 128 + t] = s[t];
}

// [count] The barrier is for more threads than come.
//~ unknown
__global__ void named_too_few(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 32) asm volatile("bar.sync 1, 64;");
    out[blockIdx.x * 128 + t] = s[t];
}

// [arrive] One side does not wait: not modelled.
//~ unknown
__global__ void named_arrive(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 64) asm volatile("bar.arrive 1, 128;");
    else asm volatile("bar.sync 1, 128;");
    out[blockIdx.x * 128 + t] = s[t];
}

// [divergence] Some threads of the block do not come to a barrier for all.
//~ divergence
__global__ void named_divergent_bad(int *out)
{
    int t = threadIdx.x;
    if (t != 5) asm volatile("bar.sync 1;"); //~ here
    out[blockIdx.x * 128 + t] = t;
}
