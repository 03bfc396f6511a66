//--blockDim=128 --gridDim=2
// What counts the bytes of bulk copies: how many a tensor's box has, what a size that is not understood orders, names that look like words of the
// library; and fences of proxies where phases of barriers order the threads.
#include <cuda.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__device__ __forceinline__ void arrive_expecting(uint64_t *bar, unsigned bytes)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}

__device__ __forceinline__ void expect(uint64_t *bar, unsigned bytes)
{
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, bar, bytes);
}

__device__ __forceinline__ void load(void *to, const void *from, unsigned bytes, uint64_t *bar)
{
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, bar); //~ here
}

__device__ __forceinline__ void load_box(void *to, const CUtensorMap *map, uint64_t *bar)
{
    const int at[2] = {0, int(blockIdx.x)};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, map, at, bar); //~ here
}

__device__ __forceinline__ void store(void *to, const void *from, unsigned bytes)
{
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, from, bytes); //~ here
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}

__device__ __forceinline__ void wait(uint64_t *bar, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) { }
}

// [bytes] Most of the bytes are expected first, and the rest with the arrival: the box has the former.
//~ race potential
__global__ void box_of_first_expectation_bad(const __grid_constant__ CUtensorMap map, const int *in, int *out)
{
    __shared__ alignas(128) int tile[256];
    __shared__ alignas(128) int head[16];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        expect(&full, 1024);
        arrive_expecting(&full, 64);
        load(head, in, 64, &full);
        load_box(tile, &map, &full);
    }
    if (t >= 100) tile[t] = t; //~ here
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = head[t % 16];
}

// The box has 256 bytes, less than what another copy brings; what lies behind it is written in the meantime.
//~ race-free
__global__ void box_beside_copy_ok(const __grid_constant__ CUtensorMap map, const int *in, int *out)
{
    __shared__ alignas(128) int tile[256];
    __shared__ alignas(128) int head[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        expect(&full, 256);
        arrive_expecting(&full, 512);
        load(head, in, 512, &full);
        load_box(tile, &map, &full);
    }
    if (t >= 64) tile[t] = t;
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = head[127 - t] + tile[t];
}

// [bytes] How many bytes are expected depends on an argument.
//~ race potential
__global__ void box_of_either_size_bad(const __grid_constant__ CUtensorMap map, int *out, bool whole)
{
    __shared__ alignas(128) int tile[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        if (whole) expect(&full, 512);
        else expect(&full, 128);
        load_box(tile, &map, &full);
        ptx::mbarrier_arrive(&full);
    }
    if (t == 99) tile[t] = 1; //~ here
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = t;
}

// [bytes] Some bytes of the box are expected behind it.
//~ fn_race
__global__ void box_expected_behind_bad(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int tile[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        expect(&full, 128);
        load_box(tile, &map, &full);
        arrive_expecting(&full, 384);
    }
    if (t == 99) tile[t] = 1;
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = t;
}

// [bytes] Two threads expect bytes for one phase, and the box of the one has all of them.
//~ fn_race
__global__ void box_expected_by_two_bad(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int tile[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 2);
    __syncthreads();
    if (t == 0) {
        arrive_expecting(&full, 128);
        load_box(tile, &map, &full);
    }
    if (t == 32) arrive_expecting(&full, 384);
    if (t == 99) tile[t] = 1;
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = t;
}

// One expectation before the rounds and one in each: each for a phase of its own.
//~ race-free
__global__ void box_ahead_and_in_rounds_ok(const __grid_constant__ CUtensorMap map, int *out, int n)
{
    __shared__ alignas(128) int tile[2][128];
    __shared__ uint64_t full[2];
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
    }
    __syncthreads();
    if (t == 0) {
        arrive_expecting(&full[0], 512);
        load_box(tile[0], &map, &full[0]);
    }
    if (t == 0) {
        arrive_expecting(&full[1], 512);
        load_box(tile[1], &map, &full[1]);
    }
    wait(&full[0], 0);
    wait(&full[1], 0);
    out[blockIdx.x * 128 + t] = tile[0][127 - t] + tile[1][t];
}

// [bytes] The copy alone brings as many bytes as are expected: the phase may end before the box is there.
//~ race potential
__global__ void box_not_expected_bad(const __grid_constant__ CUtensorMap map, const int *in, int *out)
{
    __shared__ alignas(128) int tile[128], head[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        arrive_expecting(&full, 512);
        load(head, in, 512, &full);
        load_box(tile, &map, &full);
    }
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = tile[t]; //~ here
}

// [bytes] The size is computed by instructions that are not followed, and more than what is expected.
//~ race potential
__global__ void size_of_float_bad(const int *in, int *out)
{
    __shared__ alignas(128) int tile[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        unsigned to = __cvta_generic_to_shared(tile), bar = __cvta_generic_to_shared(&full);
        arrive_expecting(&full, 128);
        asm volatile("{ .reg .u32 size; cvt.rzi.u32.f32 size, %3;" //~ here
                     " cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], size, [%2]; }"
                     ::"r"(to), "l"(in), "r"(bar), "f"(512.0f) : "memory");
    }
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = tile[127 - t]; //~ here
}

// [bytes] The variable counts two arrivals, though its name begins as a word of the library does.
//~ race potential
__global__ void count_named_as_word_bad(int *out)
{
    __shared__ int tile[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    unsigned scope_of_two = 2;
    if (t == 0) ptx::mbarrier_init(&full, 2);
    __syncthreads();
    if (t == 0) ptx::mbarrier_arrive(&full, scope_of_two);
    if (t == 64) {
        tile[64] = 1; //~ here
        ptx::mbarrier_arrive(&full);
    }
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = tile[64]; //~ here
}

// [bytes] A variable of the very name of a word.
//~ race potential
__global__ void count_named_by_word_bad(int *out)
{
    __shared__ int tile[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    unsigned sem_release = 2;
    if (t == 0) ptx::mbarrier_init(&full, 2);
    __syncthreads();
    if (t == 0) ptx::mbarrier_arrive(&full, sem_release);
    if (t == 64) {
        tile[64] = 1; //~ here
        ptx::mbarrier_arrive(&full);
    }
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = tile[64]; //~ here
}

// Both threads arrive once.
//~ race-free
__global__ void count_of_one_ok(int *out)
{
    __shared__ int tile[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 2);
    __syncthreads();
    if (t == 0) ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full);
    if (t == 64) {
        tile[64] = 1;
        ptx::mbarrier_arrive(&full);
    }
    wait(&full, 0);
    out[blockIdx.x * 128 + t] = tile[64];
}

// [fence] The threads fill a tile and arrive, and one that has waited for them copies it out: nothing tells the other proxy.
//~ race potential
__global__ void filled_by_phase_bad(int *out)
{
    __shared__ alignas(128) int tile[96];
    __shared__ uint64_t filled;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&filled, 96);
    __syncthreads();
    if (t < 96) {
        tile[t] = 3 * t; //~ here
        ptx::mbarrier_arrive(&filled);
    } else if (t == 96) {
        wait(&filled, 0);
        store(out + blockIdx.x * 96, tile, 384);
    }
}

// Each thread has a fence behind its store.
//~ race-free
__global__ void filled_by_phase_ok(int *out)
{
    __shared__ alignas(128) int tile[96];
    __shared__ uint64_t filled;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&filled, 96);
    __syncthreads();
    if (t < 96) {
        tile[t] = 3 * t;
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive(&filled);
    } else if (t == 96) {
        wait(&filled, 0);
        store(out + blockIdx.x * 96, tile, 384);
    }
}

// [fence] The same by a named barrier.
//~ race
__global__ void filled_by_named_bad(int *out)
{
    __shared__ alignas(128) int tile[96];
    int t = threadIdx.x;
    if (t < 96) {
        tile[t] = 3 * t; //~ here
        asm volatile("bar.arrive 2, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 128;" ::: "memory");
        if (t == 96) store(out + blockIdx.x * 96, tile, 384);
    }
}

// The thread that copies has the fence, behind its wait.
//~ race-free
__global__ void filled_by_named_ok(int *out)
{
    __shared__ alignas(128) int tile[96];
    int t = threadIdx.x;
    if (t < 96) {
        tile[t] = 3 * t;
        asm volatile("bar.arrive 2, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 128;" ::: "memory");
        ptx::fence_proxy_async(ptx::space_shared);
        if (t == 96) store(out + blockIdx.x * 96, tile, 384);
    }
}

// [fence] The readers change the tiles in place, and the next copy into them need not come behind that.
//~ race potential
__global__ void changed_in_place_bad(const int *in, int *out, int n)
{
    __shared__ alignas(128) int tile[2][128];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], 96);
        }
    }
    __syncthreads();
    if (t == 96) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 2], ((k / 2) & 1) ^ 1);
            arrive_expecting(&full[k % 2], 512);
            load(tile[k % 2], in + k * 128, 512, &full[k % 2]);
        }
    } else if (t < 96) {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 2], (k / 2) & 1);
            tile[k % 2][t] += 1; //~ here
            out[(blockIdx.x * n + k) * 128 + t] = tile[k % 2][t];
            ptx::mbarrier_arrive(&empty[k % 2]);
        }
    }
}

// With a fence behind the change.
//~ race-free
__global__ void changed_in_place_ok(const int *in, int *out, int n)
{
    __shared__ alignas(128) int tile[2][128];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], 96);
        }
    }
    __syncthreads();
    if (t == 96) {
        for (int k = 0; k < n; k++) {
            wait(&empty[k % 2], ((k / 2) & 1) ^ 1);
            arrive_expecting(&full[k % 2], 512);
            load(tile[k % 2], in + k * 128, 512, &full[k % 2]);
        }
    } else if (t < 96) {
        for (int k = 0; k < n; k++) {
            wait(&full[k % 2], (k / 2) & 1);
            tile[k % 2][t] += 1;
            out[(blockIdx.x * n + k) * 128 + t] = tile[k % 2][t];
            ptx::fence_proxy_async(ptx::space_shared);
            ptx::mbarrier_arrive(&empty[k % 2]);
        }
    }
}

// Nothing is copied into the tile again: what is changed behind the wait needs no fence.
//~ race-free
__global__ void changed_once_ok(const int *in, int *out)
{
    __shared__ alignas(128) int tile[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (t == 0) {
        arrive_expecting(&full, 512);
        load(tile, in, 512, &full);
    }
    wait(&full, 0);
    tile[t] += 1;
    __syncthreads();
    out[blockIdx.x * 128 + t] = tile[127 - t];
}

// [fence] The same store stands in front of the fence and behind it.
//~ race
__global__ void stored_again_bad(int *out)
{
    __shared__ alignas(128) int tile[128];
    int t = threadIdx.x;
    tile[t] = t;
    ptx::fence_proxy_async(ptx::space_shared);
    tile[t] = t; //~ here
    __syncthreads();
    if (t == 0) store(out + blockIdx.x * 128, tile, 512);
}

// Both in front of it.
//~ race-free
__global__ void stored_twice_ok(int *out)
{
    __shared__ alignas(128) int tile[128];
    int t = threadIdx.x;
    tile[t] = t;
    tile[t] = t;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) store(out + blockIdx.x * 128, tile, 512);
}

// The fence stands under the condition of the copy, which is not compared: no more than potential.
//~ fp_race-free
__global__ void fenced_under_condition_ok(int *out, int n)
{
    __shared__ alignas(128) int tile[128];
    int t = threadIdx.x;
    tile[t] = t;
    if (n > 10) ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (n > 10 && t == 0) store(out + blockIdx.x * 128, tile, 512);
}

// The fence stands between two barriers, which is not followed: no more than potential.
//~ fp_race-free
__global__ void fenced_between_barriers_ok(int *out)
{
    __shared__ alignas(128) int tile[128];
    int t = threadIdx.x;
    tile[t] = t;
    __syncthreads();
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) store(out + blockIdx.x * 128, tile, 512);
}

// [fence] The fence stands under a condition of its own.
//~ race potential
__global__ void fenced_under_other_condition_bad(int *out, int n, int m)
{
    __shared__ alignas(128) int tile[128];
    int t = threadIdx.x;
    tile[t] = t; //~ here
    if (m > 10) ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (n > 10 && t == 0) store(out + blockIdx.x * 128, tile, 512);
}
