//--blockDim=160 --gridDim=2
// Waits for phases of barriers that never end, each with a kernel beside it that goes on: counts, parities, bytes, named barriers.
#include <cuda/barrier>
#include <cstdint>
namespace cde = cuda::device::experimental;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ __forceinline__ uint32_t word_of(uint64_t *bar) { return static_cast<uint32_t>(__cvta_generic_to_shared(bar)); }

__device__ __forceinline__ void set(uint64_t *bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(word_of(bar)), "r"(count));
}

__device__ __forceinline__ void come(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(word_of(bar)) : "memory");
}

__device__ __forceinline__ void stay(uint64_t *bar, int parity)
{
    asm volatile("{ .reg .pred p; M: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra M; }" //~ here
                 ::"r"(word_of(bar)), "r"(parity) : "memory");
}

// A warp fills three stages in turn, four others read them.
//~ race-free
__global__ void stages_ok(const int *in, int *out, int n)
{
    __shared__ int s[3][128];
    __shared__ uint64_t full[3], empty[3];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            set(&full[i], 32);
            set(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            stay(&empty[k % 3], ((k / 3) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 3][j * 32 + t] = in[k * 128 + j * 32 + t];
            come(&full[k % 3]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            stay(&full[k % 3], (k / 3) & 1);
            sum += s[k % 3][159 - t];
            come(&empty[k % 3]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] The first wait of the warp that fills is for a phase that is still to be ended by those that wait for it.
//~ divergence potential
__global__ void stages_first_bad(const int *in, int *out, int n)
{
    __shared__ int s[3][128];
    __shared__ uint64_t full[3], empty[3];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            set(&full[i], 32);
            set(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            stay(&empty[k % 3], (k / 3) & 1);
            for (int j = 0; j < 4; j++) s[k % 3][j * 32 + t] = in[k * 128 + j * 32 + t];
            come(&full[k % 3]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            stay(&full[k % 3], (k / 3) & 1);
            sum += s[k % 3][159 - t];
            come(&empty[k % 3]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] The full ones count a warp more than comes.
//~ divergence potential
__global__ void stages_count_bad(const int *in, int *out, int n)
{
    __shared__ int s[3][128];
    __shared__ uint64_t full[3], empty[3];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            set(&full[i], 64);
            set(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; k++) {
            stay(&empty[k % 3], ((k / 3) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 3][j * 32 + t] = in[k * 128 + j * 32 + t];
            come(&full[k % 3]);
        }
    } else {
        for (int k = 0; k < n; k++) {
            stay(&full[k % 3], (k / 3) & 1);
            sum += s[k % 3][159 - t];
            come(&empty[k % 3]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// [phase] Eight tiles are filled, and four are taken out: the last one waits for ever for its stage.
//~ divergence confirmed
__global__ void stages_kept_bad(const int *in, int *out)
{
    __shared__ int s[3][128];
    __shared__ uint64_t full[3], empty[3];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            set(&full[i], 32);
            set(&empty[i], 128);
        }
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < 8; k++) {
            stay(&empty[k % 3], ((k / 3) & 1) ^ 1);
            for (int j = 0; j < 4; j++) s[k % 3][j * 32 + t] = in[k * 128 + j * 32 + t];
            come(&full[k % 3]);
        }
    } else {
        for (int k = 0; k < 4; k++) {
            stay(&full[k % 3], (k / 3) & 1);
            sum += s[k % 3][159 - t];
            come(&empty[k % 3]);
        }
        out[blockIdx.x * 128 + t - 32] = sum;
    }
}

// Two halves of a block tell each other that they have stored.
//~ race-free
__global__ void told_ok(const int *in, int *out)
{
    __shared__ int s[128];
    __shared__ uint64_t lower, upper;
    int t = threadIdx.x;
    if (t == 0) {
        set(&lower, 64);
        set(&upper, 64);
    }
    __syncthreads();
    if (t < 64) {
        s[t] = in[t];
        come(&lower);
        stay(&upper, 0);
        out[blockIdx.x * 128 + t] = s[t + 64];
    } else if (t < 128) {
        s[t] = in[t];
        come(&upper);
        stay(&lower, 0);
        out[blockIdx.x * 128 + t] = s[t - 64];
    }
}

// [phase] Each half waits before it arrives, so that none begins.
//~ divergence confirmed
__global__ void told_bad(const int *in, int *out)
{
    __shared__ int s[128];
    __shared__ uint64_t lower, upper;
    int t = threadIdx.x;
    if (t == 0) {
        set(&lower, 64);
        set(&upper, 64);
    }
    __syncthreads();
    if (t < 64) {
        stay(&upper, 0);
        s[t] = in[t];
        come(&lower);
        out[blockIdx.x * 128 + t] = s[t];
    } else if (t < 128) {
        stay(&lower, 0);
        s[t] = in[t];
        come(&upper);
        out[blockIdx.x * 128 + t] = s[t];
    }
}

// A copy brings all bytes that are expected.
//~ race-free
__global__ void bytes_ok(const int *in, int *out)
{
    __shared__ alignas(128) int s[160];
    __shared__ Barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 160);
    __syncthreads();
    if (t == 0) {
        cde::cp_async_bulk_global_to_shared(s, in, sizeof(s), bar);
        (void)cuda::device::barrier_arrive_tx(bar, 1, sizeof(s));
    } else {
        (void)bar.arrive();
    }
    bar.wait_parity(false);
    out[blockIdx.x * 160 + t] = s[159 - t];
}

// [phase] More bytes are expected than the copy brings.
//~ divergence confirmed
__global__ void bytes_bad(const int *in, int *out)
{
    __shared__ alignas(128) int s[160];
    __shared__ Barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 160);
    __syncthreads();
    if (t == 0) {
        cde::cp_async_bulk_global_to_shared(s, in, 128 * sizeof(int), bar);
        (void)cuda::device::barrier_arrive_tx(bar, 1, sizeof(s));
    } else {
        (void)bar.arrive();
    }
    bar.wait_parity(false); //~ here
    out[blockIdx.x * 160 + t] = t;
}

// [phase] The thread that copies does not arrive.
//~ divergence confirmed
__global__ void absent_bad(const int *in, int *out)
{
    __shared__ alignas(128) int s[160];
    __shared__ Barrier bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 160);
    __syncthreads();
    if (t > 0) {
        s[t] = in[t];
        (void)bar.arrive();
    }
    bar.wait_parity(false); //~ here
    out[blockIdx.x * 160 + t] = t > 0 ? s[t] : 0;
}

// One warp arrives at the named barrier and goes on, another waits there.
//~ race-free
__global__ void named_ok(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t];
        asm volatile("bar.arrive 3, 64;" ::: "memory");
    } else if (t < 64) {
        asm volatile("bar.sync 3, 64;" ::: "memory");
        out[blockIdx.x * 32 + t - 32] = s[63 - t];
    }
}

// [phase] It is for a warp more than comes.
//~ fn_divergence
__global__ void named_bad(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t];
        asm volatile("bar.arrive 3, 96;" ::: "memory");
    } else if (t < 64) {
        asm volatile("bar.sync 3, 96;" ::: "memory"); //~ here
        out[blockIdx.x * 32 + t - 32] = s[63 - t];
    }
}
