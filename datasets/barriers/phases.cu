//--blockDim=160 --gridDim=2
// Barriers in memory that count arrivals by phases (mbarrier): one warp fills stages, four others read them.
#include <cstdint>

__device__ __forceinline__ uint32_t place_of(uint64_t *bar) { return static_cast<uint32_t>(__cvta_generic_to_shared(bar)); }

__device__ __forceinline__ void begin(uint64_t *bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place_of(bar)), "r"(count)); //~ here
}

__device__ __forceinline__ void arrive(uint64_t *bar)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(place_of(bar)) : "memory"); //~ here
}

// Round the instruction until the phase of this parity has ended.
__device__ __forceinline__ void wait(uint64_t *bar, int parity)
{
    asm volatile("{\n" //~ here
                 ".reg .pred done;\n"
                 "AGAIN:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra BEHIND;\n"
                 "bra AGAIN;\n"
                 "BEHIND:\n"
                 "}\n" ::"r"(place_of(bar)), "r"(parity) : "memory");
}

__device__ __forceinline__ bool has_ended(uint64_t *bar, int parity)
{
    uint32_t ended;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(ended) : "r"(place_of(bar)), "r"(parity) : "memory");
    return ended != 0;
}

// A ring of four stages, for any number of tiles.
//~ race-free
__global__ void phases_ring_ok(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t];
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], (k / 4) & 1);
            sum += s[k % 4][159 - t];
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] The stage is filled again without a wait until it is empty.
//~ race potential
__global__ void phases_reuse_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], (k / 4) & 1);
            sum += s[k % 4][159 - t]; //~ here
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] The readers wait for the parity of the phase before, which has ended at once.
//~ race potential
__global__ void phases_parity_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], ((k / 4) & 1) ^ 1);
            sum += s[k % 4][159 - t]; //~ here
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] The same parity in every round: each second one lets through at once.
//~ race potential
__global__ void phases_writer_parity_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], 0);
            sum += s[k % 4][159 - t]; //~ here
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] The stage is given back before it has been read.
//~ race potential
__global__ void phases_early_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], (k / 4) & 1);
            arrive(&empty[k % 4]);
            sum += s[k % 4][159 - t]; //~ here
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] It is told to be full before it has been filled.
//~ race potential
__global__ void phases_before_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            arrive(&full[k % 4]);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], (k / 4) & 1);
            sum += s[k % 4][159 - t]; //~ here
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [count] One reader fewer is counted than there are: a phase ends without one of them.
//~ race potential
__global__ void phases_count_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 127);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], (k / 4) & 1);
            sum += s[k % 4][159 - t]; //~ here
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [count] One lane of the writing warp ends the phase.
//~ race potential
__global__ void phases_count_full_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 1);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], (k / 4) & 1);
            sum += s[k % 4][159 - t]; //~ here
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] The readers wait for the stage behind the one that they read, in the last round for one that never comes.
//~ race
__global__ void phases_next_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[(k + 1) % 4], ((k + 1) / 4) & 1);
            sum += s[k % 4][159 - t]; //~ here
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] They read the stage behind the one that they have waited for.
//~ race potential
__global__ void phases_stage_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], (k / 4) & 1);
            sum += s[(k + 1) % 4][159 - t]; //~ here
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] Not every round waits: two phases further on the parity is the same again.
//~ race potential
__global__ void phases_sometimes_bad(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            if (in[k] > 0) wait(&full[k % 4], (k / 4) & 1);
            sum += s[k % 4][159 - t]; //~ here
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// The first rounds need no wait, the stages are empty: later ones wait for the phase that the readers end.
//~ race-free
__global__ void phases_late_ok(const int *in, int *out, int n)
{
    __shared__ int s[128];
    __shared__ uint64_t full, empty;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        begin(&full, 32);
        begin(&empty, 128);
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty, k & 1);
            for (int j = 0; j < 4; j++) s[j * 32 + t] = in[k * 128 + j * 32 + t];
            arrive(&full);
        }
    } else {
        arrive(&empty);
        for (int k = 0; k < n; k++) {
            wait(&full, k & 1);
            sum += s[159 - t];
            arrive(&empty);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] Nobody has arrived before the loop, so that the wait for parity 0 is one phase too far, and the kernel waits for ever: nothing races.
//~ divergence potential
__global__ void phases_stuck(const int *in, int *out, int n)
{
    __shared__ int s[128];
    __shared__ uint64_t full, empty;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        begin(&full, 32);
        begin(&empty, 128);
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            wait(&empty, k & 1);
            for (int j = 0; j < 4; j++) s[j * 32 + t] = in[k * 128 + j * 32 + t];
            arrive(&full);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full, k & 1);
            sum += s[159 - t];
            arrive(&empty);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// Stage and phase are variables that go round, and the wait is a loop of C.
//~ race-free
__global__ void phases_carried_ok(const int *in, int *out, int n)
{
    __shared__ int s[3][128];
    __shared__ uint64_t full[3], empty[3];
    int t = threadIdx.x, sum = 0, stage = 0, phase = 0;
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            while (!has_ended(&empty[stage], phase ^ 1)) { }
            for (int j = 0; j < 4; j++) s[stage][j * 32 + t] = in[k * 128 + j * 32 + t];
            arrive(&full[stage]);
            if (++stage == 3) {
                stage = 0;
                phase ^= 1;
            }
        }
    } else {
        for (int k = 0; k < n; k++) {
            while (!has_ended(&full[stage], phase)) { }
            sum += s[stage][159 - t];
            arrive(&empty[stage]);
            if (++stage == 3) {
                stage = 0;
                phase ^= 1;
            }
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] The phase is not turned when the ring begins again.
//~ race potential
__global__ void phases_carried_bad(const int *in, int *out, int n)
{
    __shared__ int s[3][128];
    __shared__ uint64_t full[3], empty[3];
    int t = threadIdx.x, sum = 0, stage = 0, phase = 0;
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            while (!has_ended(&empty[stage], phase ^ 1)) { }
            for (int j = 0; j < 4; j++) s[stage][j * 32 + t] = in[k * 128 + j * 32 + t]; //~ here
            arrive(&full[stage]);
            if (++stage == 3) {
                stage = 0;
                phase ^= 1;
            }
        }
    } else {
        for (int k = 0; k < n; k++) {
            while (!has_ended(&full[stage], phase)) { }
            sum += s[stage][159 - t]; //~ here
            arrive(&empty[stage]);
            if (++stage == 3) stage = 0;
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] Asked once, the wait goes on whatever the answer is.
//~ race confirmed
__global__ void phases_asked_bad(const int *in, int *out)
{
    __shared__ int s[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) begin(&full, 32);
    __syncthreads();
    if (t < 32) {
        for (int j = 0; j < 4; j++) s[j * 32 + t] = in[j * 32 + t]; //~ here
        arrive(&full);
    } else {
        has_ended(&full, 0);
        out[blockIdx.x * 128 + t - 32] = s[159 - t]; //~ here
    }
}

// All threads arrive and wait: what __syncthreads() is, twice a round.
//~ race-free
__global__ void phases_all_ok(const int *in, int *out, int n)
{
    __shared__ int s[160];
    __shared__ uint64_t bar;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&bar, 160);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        s[t] = in[k * 160 + t];
        arrive(&bar);
        wait(&bar, 0);
        sum += s[159 - t];
        arrive(&bar);
        wait(&bar, 1);
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [phase] Once a round is too few: the next write meets the reads of this one.
//~ race potential
__global__ void phases_all_bad(const int *in, int *out, int n)
{
    __shared__ int s[160];
    __shared__ uint64_t bar;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&bar, 160);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        s[t] = in[k * 160 + t]; //~ here
        arrive(&bar);
        wait(&bar, k & 1);
        sum += s[159 - t]; //~ here
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [init] Nobody waits for the first thread to initialise them.
//~ race
__global__ void phases_init_bad(const int *in, int *out)
{
    __shared__ int s[160];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0) begin(&bar, 160);
    s[t] = in[t];
    arrive(&bar);
    wait(&bar, 0);
    out[blockIdx.x * 160 + t] = s[t];
}

// The first rounds do not wait, as the stages are empty: which turn a wait is then is not followed.
//~ fp_race-free
__global__ void phases_first_ok(const int *in, int *out, int n)
{
    __shared__ int s[4][128];
    __shared__ uint64_t full[4], empty[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            if (k >= 4) wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 4][j * 32 + t] = in[k * 128 + j * 32 + t];
            arrive(&full[k % 4]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 4], (k / 4) & 1);
            sum += s[k % 4][159 - t];
            arrive(&empty[k % 4]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// The ring goes on from tile to tile: steps in a loop in a loop are not followed.
//~ fp_race-free
__global__ void phases_tiles_ok(const int *in, int *out, int n, int tiles)
{
    __shared__ int s[2][128];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x, stage = 0, phase = 0;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            begin(&full[i], 32);
            begin(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int tile = 0; tile < tiles; tile++) {
            for (int k = 0; k < n; k++) {
                wait(&empty[stage], phase ^ 1);
                for (int j = 0; j < 4; j++) s[stage][j * 32 + t] = in[(tile * n + k) * 128 + j * 32 + t];
                arrive(&full[stage]);
                if (++stage == 2) {
                    stage = 0;
                    phase ^= 1;
                }
            }
        }
    } else {
        int sum = 0;
        for (int tile = 0; tile < tiles; tile++) {
            for (int k = 0; k < n; k++) {
                wait(&full[stage], phase);
                sum += s[stage][159 - t];
                arrive(&empty[stage]);
                if (++stage == 2) {
                    stage = 0;
                    phase ^= 1;
                }
            }
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}
