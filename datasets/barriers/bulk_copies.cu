//--blockDim=160 --gridDim=2
// Bulk copies (cp.async.bulk): counted by a barrier in memory on the way in, waited for in groups on the way out.
#include <cstdint>

__device__ __forceinline__ uint32_t place_of(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void begin(uint64_t *bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place_of(bar)), "r"(count));
}

__device__ __forceinline__ void arrive(uint64_t *bar)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(place_of(bar)) : "memory");
}

__device__ __forceinline__ void arrive_expecting(uint64_t *bar, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place_of(bar)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void expect(uint64_t *bar, int bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(place_of(bar)), "r"(bytes) : "memory");
}

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

__device__ __forceinline__ void load(void *to, const void *from, int bytes, uint64_t *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" //~ here
                 ::"r"(place_of(to)), "l"(from), "r"(bytes), "r"(place_of(bar)) : "memory");
}

__device__ __forceinline__ void store(void *to, const void *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" //~ here
                 ::"l"(to), "r"(place_of(from)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

template <int N>
__device__ __forceinline__ void wait_read() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory"); }

template <int N>
__device__ __forceinline__ void wait_done() { asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory"); }

__device__ __forceinline__ void to_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// One thread issues a copy for each tile, and all wait for its bytes.
//~ race-free
__global__ void bulk_tiles_ok(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive_expecting(&full, 1280);
            load(s, in + k * 320, 1280, &full);
        }
        wait(&full, k & 1);
        sum += s[t] + s[319 - t];
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [wait] A barrier of the block does not wait for the copy.
//~ race
__global__ void bulk_no_wait_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive_expecting(&full, 1280);
            load(s, in + k * 320, 1280, &full);
        }
        __syncthreads();
        sum += s[t] + s[319 - t]; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [phase] The parity is that of the phase before, which has ended; where the copy is quick, it is that of the phase behind it, which never ends.
//~ race
__global__ void bulk_parity_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive_expecting(&full, 1280);
            load(s, in + k * 320, 1280, &full);
        }
        wait(&full, (k & 1) ^ 1);
        sum += s[t] + s[319 - t]; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [barrier] Nothing stands between the reads of a tile and the copy of the next one.
//~ race potential
__global__ void bulk_overwritten_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive_expecting(&full, 1280);
            load(s, in + k * 320, 1280, &full);
        }
        wait(&full, k & 1);
        sum += s[t] + s[319 - t]; //~ here
    }
    out[blockIdx.x * 160 + t] = sum;
}

// Two copies bring what is expected once.
//~ race-free
__global__ void bulk_halves_ok(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive_expecting(&full, 1280);
            load(s, in + k * 320, 640, &full);
            load(s + 160, in + k * 320 + 160, 640, &full);
        }
        wait(&full, k & 1);
        sum += s[t] + s[319 - t];
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [bytes] Fewer bytes are expected than the two copies bring: the phase may end before the second.
//~ race potential
__global__ void bulk_bytes_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive_expecting(&full, 640);
            load(s, in + k * 320, 640, &full);
            load(s + 160, in + k * 320 + 160, 640, &full);
        }
        wait(&full, k & 1);
        sum += s[t] + s[319 - t]; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}

// What is expected is told before the thread arrives.
//~ race-free
__global__ void bulk_expected_ok(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            expect(&full, 1280);
            load(s, in + k * 320, 1280, &full);
            arrive(&full);
        }
        wait(&full, k & 1);
        sum += s[t] + s[319 - t];
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [bytes] The thread arrives first, and the phase may have ended when it expects bytes.
//~ race potential
__global__ void bulk_expected_late_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive(&full);
            expect(&full, 1280);
            load(s, in + k * 320, 1280, &full);
        }
        wait(&full, k & 1);
        sum += s[t] + s[319 - t]; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [bytes] Nobody expects the bytes of the copy.
//~ race potential
__global__ void bulk_never_expected_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive(&full);
            load(s, in + k * 320, 1280, &full);
        }
        wait(&full, k & 1);
        sum += s[t] + s[319 - t]; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [wait] The thread itself reads what its copy may not have brought yet.
//~ race
__global__ void bulk_own_bad(const int *in, int *out)
{
    __shared__ alignas(128) int s[32];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        begin(&full, 1);
        arrive_expecting(&full, 128);
        load(s, in, 128, &full);
        out[blockIdx.x] = s[5]; //~ here
    }
}

// [wait] The next copy of the thread goes where the one before may still write.
//~ race
__global__ void bulk_own_twice_bad(const int *in, int *out)
{
    __shared__ alignas(128) int s[64];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        begin(&full, 1);
        arrive_expecting(&full, 384);
        load(s, in, 256, &full);
        load(s + 32, in + 96, 128, &full);
    }
    __syncthreads();
    wait(&full, 0);
    if (t < 64) out[blockIdx.x * 64 + t] = s[t];
}

// A ring of four stages, filled by copies of one thread, for any number of tiles.
//~ race-free
__global__ void bulk_ring_ok(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[4][128];
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
        if (t == 0) {
            for (int k = 0; k < n; k++) {
                wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
                arrive_expecting(&full[k % 4], 512);
                load(s[k % 4], in + k * 128, 512, &full[k % 4]);
            }
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
__global__ void bulk_ring_empty_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[4][128];
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
        if (t == 0) {
            for (int k = 0; k < n; k++) {
                arrive_expecting(&full[k % 4], 512);
                load(s[k % 4], in + k * 128, 512, &full[k % 4]);
            }
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

// [phase] The readers tell that a stage is empty before they read it.
//~ race potential
__global__ void bulk_ring_early_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[4][128];
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
        if (t == 0) {
            for (int k = 0; k < n; k++) {
                wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
                arrive_expecting(&full[k % 4], 512);
                load(s[k % 4], in + k * 128, 512, &full[k % 4]);
            }
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

// [stage] The readers wait for one stage and read the next.
//~ race potential
__global__ void bulk_ring_stage_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[4][128];
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
        if (t == 0) {
            for (int k = 0; k < n; k++) {
                wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
                arrive_expecting(&full[k % 4], 512);
                load(s[k % 4], in + k * 128, 512, &full[k % 4]);
            }
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

// [bytes] A copy is longer than a stage, and writes into the next one.
//~ race potential
__global__ void bulk_ring_long_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[4][128];
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
        if (t == 0) {
            for (int k = 0; k < n; k++) {
                wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
                arrive_expecting(&full[k % 4], 516);
                load(s[k % 4], in + k * 128, 516, &full[k % 4]);
            }
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

// [phase] The copy is counted by the barrier of the next stage, so that the bytes of the first one never come.
//~ race
__global__ void bulk_ring_other_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[4][128];
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
        if (t == 0) {
            for (int k = 0; k < n; k++) {
                wait(&empty[k % 4], ((k / 4) & 1) ^ 1);
                arrive_expecting(&full[k % 4], 512);
                load(s[k % 4], in + k * 128, 512, &full[(k + 1) % 4]);
            }
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

// The tile is written by all threads, told to the proxy of copies, and copied out by one.
//~ race-free
__global__ void bulk_out_ok(int *out, int n)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        s[t] = t + k;
        to_copies();
        __syncthreads();
        if (t == 0) {
            store(out + (k * 2 + blockIdx.x) * 160, s, 640);
            commit();
            wait_read<0>();
        }
        __syncthreads();
    }
    if (t == 0) wait_done<0>();
}

// [fence] The proxy of copies need not see what the threads wrote.
//~ race
__global__ void bulk_out_unfenced_bad(int *out)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    s[t] = t; //~ here
    __syncthreads();
    if (t == 0) {
        store(out + blockIdx.x * 160, s, 640);
        commit();
        wait_done<0>();
    }
}

// [fence] Only the first thread has a fence behind its write.
//~ race
__global__ void bulk_out_fenced_once_bad(int *out)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    s[t] = t; //~ here
    if (t == 0) to_copies();
    __syncthreads();
    if (t == 0) {
        store(out + blockIdx.x * 160, s, 640);
        commit();
        wait_done<0>();
    }
}

// [fence] The fence stands before the write.
//~ race
__global__ void bulk_out_fenced_early_bad(int *out)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    to_copies();
    s[t] = t; //~ here
    __syncthreads();
    if (t == 0) {
        store(out + blockIdx.x * 160, s, 640);
        commit();
        wait_done<0>();
    }
}

// [fence] The thread's own write needs the fence, too.
//~ race
__global__ void bulk_out_own_unfenced_bad(int *out)
{
    __shared__ alignas(128) int s[4];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 4; i++) s[i] = i; //~ here
        store(out + blockIdx.x * 4, s, 16);
        commit();
        wait_done<0>();
    }
}

// What was copied out before is read here, and never written by the proxy: the other half needs no fence.
//~ race-free
__global__ void bulk_out_other_half_ok(int *out)
{
    __shared__ alignas(128) int s[320];
    int t = threadIdx.x;
    s[t] = t;
    to_copies();
    s[160 + t] = 2 * t;
    __syncthreads();
    if (t == 0) {
        store(out + blockIdx.x * 160, s, 640);
        commit();
        wait_done<0>();
    }
    out[320 + blockIdx.x * 160 + t] = s[319 - t];
}

// [wait] The tile is written again while the copy may still read it.
//~ race
__global__ void bulk_out_reused_bad(int *out, int n)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        s[t] = t + k; //~ here
        to_copies();
        __syncthreads();
        if (t == 0) {
            store(out + (k * 2 + blockIdx.x) * 160, s, 640);
            commit();
        }
        __syncthreads();
    }
    if (t == 0) wait_done<0>();
}

// Two tiles in turn: one group may still be under way.
//~ race-free
__global__ void bulk_out_pair_ok(int *out, int n)
{
    __shared__ alignas(128) int s[2][160];
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (t == 0) wait_read<1>();
        __syncthreads();
        s[k % 2][t] = t + k;
        to_copies();
        __syncthreads();
        if (t == 0) {
            store(out + (k * 2 + blockIdx.x) * 160, s[k % 2], 640);
            commit();
        }
    }
    if (t == 0) wait_done<0>();
}

// [wait] Two groups may still be under way, one of them on the tile that is written.
//~ race
__global__ void bulk_out_pair_bad(int *out, int n)
{
    __shared__ alignas(128) int s[2][160];
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (t == 0) wait_read<2>();
        __syncthreads();
        s[k % 2][t] = t + k; //~ here
        to_copies();
        __syncthreads();
        if (t == 0) {
            store(out + (k * 2 + blockIdx.x) * 160, s[k % 2], 640);
            commit();
        }
    }
    if (t == 0) wait_done<0>();
}

// The target is read behind a wait until it is written.
//~ race-free
__global__ void bulk_out_target_ok(int *out, int *sums)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    s[t] = t;
    to_copies();
    __syncthreads();
    if (t == 0) {
        store(out + blockIdx.x * 160, s, 640);
        commit();
        wait_done<0>();
    }
    __syncthreads();
    sums[blockIdx.x * 160 + t] = out[blockIdx.x * 160 + 159 - t];
}

// [wait] The source has been read, and the target need not be written yet.
//~ race
__global__ void bulk_out_target_bad(int *out, int *sums)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    s[t] = t;
    to_copies();
    __syncthreads();
    if (t == 0) {
        store(out + blockIdx.x * 160, s, 640);
        commit();
        wait_read<0>();
    }
    __syncthreads();
    sums[blockIdx.x * 160 + t] = out[blockIdx.x * 160 + 159 - t]; //~ here
}

// [group] The copy is in no group that is waited for.
//~ race
__global__ void bulk_out_no_group_bad(int *out, int *sums)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    s[t] = t;
    to_copies();
    __syncthreads();
    if (t == 0) {
        commit();
        store(out + blockIdx.x * 160, s, 640);
        wait_done<0>();
    }
    __syncthreads();
    sums[blockIdx.x * 160 + t] = out[blockIdx.x * 160 + 159 - t]; //~ here
}

// [group] The loop that ends the group may have no iteration.
//~ race
__global__ void bulk_out_perhaps_bad(int *out, int *sums, int n)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    s[t] = t;
    to_copies();
    __syncthreads();
    if (t == 0) {
        store(out + blockIdx.x * 160, s, 640);
        for (int i = 0; i < n; i++) commit();
        wait_done<0>();
    }
    __syncthreads();
    sums[blockIdx.x * 160 + t] = out[blockIdx.x * 160 + 159 - t]; //~ here
}

// [overlap] Each tile is copied to where part of the one before went, which may still be written.
//~ race
__global__ void bulk_out_overlap_bad(int *out, int n)
{
    __shared__ alignas(128) int s[160];
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        s[t] = t + k;
        to_copies();
        __syncthreads();
        if (t == 0) {
            store(out + blockIdx.x * 100000 + k * 80, s, 640);
            commit();
            wait_read<0>();
        }
        __syncthreads();
    }
    if (t == 0) wait_done<0>();
}

// Three stages are under way before the loop, and the next one is issued behind the barrier that frees it.
//~ race-free
__global__ void bulk_ahead_ok(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[4][160];
    __shared__ uint64_t full[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) begin(&full[i], 1);
    }
    __syncthreads();
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            arrive_expecting(&full[i], 640);
            load(s[i], in + i * 160, 640, &full[i]);
        }
    }
    for (int k = 0; k < n; k++) {
        wait(&full[k % 4], (k / 4) & 1);
        sum += s[k % 4][159 - t];
        __syncthreads();
        if (t == 0 && k + 3 < n) {
            arrive_expecting(&full[(k + 3) % 4], 640);
            load(s[(k + 3) % 4], in + (k + 3) * 160, 640, &full[(k + 3) % 4]);
        }
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [barrier] The next stage is issued where others may still read it.
//~ race potential
__global__ void bulk_ahead_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[4][160];
    __shared__ uint64_t full[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 4; i++) begin(&full[i], 1);
    }
    __syncthreads();
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            arrive_expecting(&full[i], 640);
            load(s[i], in + i * 160, 640, &full[i]);
        }
    }
    for (int k = 0; k < n; k++) {
        if (t == 0 && k + 4 < n) {
            arrive_expecting(&full[(k + 3) % 4], 640);
            load(s[(k + 3) % 4], in + (k + 3) * 160, 640, &full[(k + 3) % 4]);
        }
        wait(&full[k % 4], (k / 4) & 1);
        sum += s[k % 4][159 - t]; //~ here
    }
    out[blockIdx.x * 160 + t] = sum;
}

// One thread waits for all: a barrier carries that on to the others, which is not followed.
//~ fp_race-free
__global__ void bulk_elected_wait_ok(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive_expecting(&full, 1280);
            load(s, in + k * 320, 1280, &full);
            wait(&full, k & 1);
        }
        __syncthreads();
        sum += s[t] + s[319 - t];
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}

// [wait] Beside assembly that is not modelled no phases are followed: the copy is no alarm for that.
//~ unknown
__global__ void bulk_beside_assembly(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[320];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) begin(&full, 1);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            arrive_expecting(&full, 1280);
            load(s, in + k * 320, 1280, &full);
        }
        wait(&full, k & 1);
        asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
        sum += s[t] + s[319 - t];
        __syncthreads();
    }
    out[blockIdx.x * 160 + t] = sum;
}
