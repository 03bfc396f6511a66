//--blockDim=160 --gridDim=2
// Tiles that a warp has copied in bulk and that four others multiply (wgmma): who tells that a tile may be filled again, and when.
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

__device__ __forceinline__ void wait(uint64_t *bar, int parity)
{
    asm volatile("{\n"
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

__device__ __forceinline__ uint64_t encoded(uint64_t x) { return (x & 0x3ffff) >> 4; }

__device__ __forceinline__ uint64_t described(const void *tile)
{
    return encoded(place_of(tile)) | encoded(16) << 16 | encoded(1024) << 32 | 1ull << 62;
}

__device__ __forceinline__ void multiply(float (&d)[4], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;" //~ here
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(b));
}

__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void drain() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }

// The products are waited for before the tile is given back.
//~ fp_race-free
__global__ void tiles_given_back_ok(const char *in, float *out, int n)
{
    __shared__ alignas(1024) char tiles[9216];
    __shared__ uint64_t full, empty;
    int t = threadIdx.x;
    if (t == 0) {
        begin(&full, 1);
        begin(&empty, 128);
    }
    __syncthreads();
    if (t == 128) {
        for (int k = 0; k < n; k++) {
            wait(&empty, (k & 1) ^ 1);
            arrive_expecting(&full, 9216);
            load(tiles, in + k * 9216, 9216, &full);
        }
    } else if (t < 128) {
        float d[4] = {0, 0, 0, 0};
        for (int k = 0; k < n; k++) {
            wait(&full, k & 1);
            multiply(d, described(tiles), described(tiles + 8192));
            commit();
            drain<0>();
            arrive(&empty);
        }
        out[blockIdx.x * 128 + t] = d[0];
    }
}

// [given back early] The tile is given back while the product may still read it.
//~ race potential
__global__ void tiles_given_back_early_bad(const char *in, float *out, int n)
{
    __shared__ alignas(1024) char tiles[9216];
    __shared__ uint64_t full, empty;
    int t = threadIdx.x;
    if (t == 0) {
        begin(&full, 1);
        begin(&empty, 128);
    }
    __syncthreads();
    if (t == 128) {
        for (int k = 0; k < n; k++) {
            wait(&empty, (k & 1) ^ 1);
            arrive_expecting(&full, 9216);
            load(tiles, in + k * 9216, 9216, &full);
        }
    } else if (t < 128) {
        float d[4] = {0, 0, 0, 0};
        for (int k = 0; k < n; k++) {
            wait(&full, k & 1);
            multiply(d, described(tiles), described(tiles + 8192));
            commit();
            arrive(&empty);
            drain<0>();
        }
        out[blockIdx.x * 128 + t] = d[0];
    }
}

// [one too few] The wait leaves the group of this tile under way.
//~ race potential
__global__ void tiles_one_left_bad(const char *in, float *out, int n)
{
    __shared__ alignas(1024) char tiles[9216];
    __shared__ uint64_t full, empty;
    int t = threadIdx.x;
    if (t == 0) {
        begin(&full, 1);
        begin(&empty, 128);
    }
    __syncthreads();
    if (t == 128) {
        for (int k = 0; k < n; k++) {
            wait(&empty, (k & 1) ^ 1);
            arrive_expecting(&full, 9216);
            load(tiles, in + k * 9216, 9216, &full);
        }
    } else if (t < 128) {
        float d[4] = {0, 0, 0, 0};
        for (int k = 0; k < n; k++) {
            wait(&full, k & 1);
            multiply(d, described(tiles), described(tiles + 8192));
            commit();
            drain<1>();
            arrive(&empty);
        }
        drain<0>();
        out[blockIdx.x * 128 + t] = d[0];
    }
}
