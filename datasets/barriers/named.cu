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

// One side arrives and goes on, the other waits for it.
//~ race-free
__global__ void named_arrive_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 64) {
        s[t] = t;
        asm volatile("bar.arrive 1, 128;");
    } else {
        asm volatile("bar.sync 1, 128;");
        out[blockIdx.x * 64 + t - 64] = s[127 - t];
    }
}

// [arrive] It stores behind its arrival.
//~ race potential
__global__ void named_arrive_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 64) {
        asm volatile("bar.arrive 1, 128;");
        s[t] = t; //~ here
    } else {
        asm volatile("bar.sync 1, 128;");
        out[blockIdx.x * 64 + t - 64] = s[127 - t]; //~ here
    }
}

// [arrive] Those that arrive are not waited for: they store again what the others still read.
//~ race potential
__global__ void named_arrive_again_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 64) {
        s[t] = t;
        asm volatile("bar.arrive 1, 128;");
        s[t] = 2 * t; //~ here
    } else {
        asm volatile("bar.sync 1, 128;");
        out[blockIdx.x * 64 + t - 64] = s[127 - t]; //~ here
    }
}

// [count] Both read what one has stored, and only half a warp comes of it: what is counted is not followed.
//~ race potential
__global__ void named_part_of_warp_bad(int *out)
{
    __shared__ int s[16];
    int t = threadIdx.x;
    if (t < 16) {
        s[t] = t; //~ here
        asm volatile("barrier.cta.arrive 1, 80;");
    } else if (t >= 64) {
        asm volatile("barrier.cta.sync 1, 80;");
        out[blockIdx.x * 64 + t - 64] = s[t % 16]; //~ here
    }
}

// A warp fills a buffer that others empty, round by round, with one barrier for each direction.
//~ race-free
__global__ void named_rounds_ok(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync 2, 128;" ::: "memory");
            s[t] = in[k * 32 + t];
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        }
    } else {
        asm volatile("bar.arrive 2, 128;" ::: "memory");
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            sum += s[31 - t % 32];
            asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
        out[blockIdx.x * 96 + t - 32] = sum;
    }
}

// [arrive] The others give the buffer back before they have read it.
//~ race potential
__global__ void named_rounds_early_bad(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync 2, 128;" ::: "memory");
            s[t] = in[k * 32 + t]; //~ here
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        }
    } else {
        asm volatile("bar.arrive 2, 128;" ::: "memory");
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            asm volatile("bar.arrive 2, 128;" ::: "memory");
            sum += s[31 - t % 32]; //~ here
        }
        out[blockIdx.x * 96 + t - 32] = sum;
    }
}

// [count] The barrier is for one warp fewer than come: the rounds are not kept apart.
//~ race potential
__global__ void named_rounds_count_bad(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync 2, 96;" ::: "memory");
            s[t] = in[k * 32 + t]; //~ here
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        }
    } else {
        asm volatile("bar.arrive 2, 96;" ::: "memory");
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            sum += s[31 - t % 32]; //~ here
            asm volatile("bar.arrive 2, 96;" ::: "memory");
        }
        out[blockIdx.x * 96 + t - 32] = sum;
    }
}

// Four buffers in turn, with a barrier each for full and empty.
//~ race-free
__global__ void named_ring_ok(const int *in, int *out, int n)
{
    __shared__ int s[4][32];
    int t = threadIdx.x, sum = 0;
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync %0, 128;" ::"r"(5 + k % 4) : "memory");
            s[k % 4][t] = in[k * 32 + t];
            asm volatile("bar.arrive %0, 128;" ::"r"(1 + k % 4) : "memory");
        }
    } else {
        for (int k = 0; k < 4; k++) asm volatile("bar.arrive %0, 128;" ::"r"(5 + k) : "memory");
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync %0, 128;" ::"r"(1 + k % 4) : "memory");
            sum += s[k % 4][31 - t % 32];
            asm volatile("bar.arrive %0, 128;" ::"r"(5 + k % 4) : "memory");
        }
        out[blockIdx.x * 96 + t - 32] = sum;
    }
}

// [ids] The buffer that is read is the one that is filled next.
//~ race potential
__global__ void named_ring_next_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][32];
    int t = threadIdx.x, sum = 0;
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync %0, 128;" ::"r"(5 + k % 4) : "memory");
            s[k % 4][t] = in[k * 32 + t]; //~ here
            asm volatile("bar.arrive %0, 128;" ::"r"(1 + k % 4) : "memory");
        }
    } else {
        for (int k = 0; k < 4; k++) asm volatile("bar.arrive %0, 128;" ::"r"(5 + k) : "memory");
        for (int k = 0; k < n; k++) {
            asm volatile("bar.sync %0, 128;" ::"r"(1 + k % 4) : "memory");
            sum += s[(k + 1) % 4][31 - t % 32]; //~ here
            asm volatile("bar.arrive %0, 128;" ::"r"(5 + k % 4) : "memory");
        }
        out[blockIdx.x * 96 + t - 32] = sum;
    }
}

// [divergence] Some threads of the block do not come to a barrier for all.
//~ divergence
__global__ void named_divergent_bad(int *out)
{
    int t = threadIdx.x;
    if (t != 5) asm volatile("bar.sync 1;"); //~ here
    out[blockIdx.x * 128 + t] = t;
}
