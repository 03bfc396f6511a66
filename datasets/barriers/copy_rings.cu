//--blockDim=64 --gridDim=2
// Rings of stages that asynchronous copies fill: groups that are counted along the way of a thread, through loops.
#include <cstdint>
#include <cuda_pipeline.h>

__device__ void copy4(void *to, const void *from)
{
    uint32_t place = static_cast<uint32_t>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(place), "l"(from)); //~ here
}

__device__ void end_group() { asm volatile("cp.async.commit_group;\n" ::); }

template <int LEFT>
__device__ void wait_but() { asm volatile("cp.async.wait_group %0;\n" ::"n"(LEFT)); }

// Three stages: two are filled before the loop, each round fills one more, and an empty group stands for those that there are not.
//~ race-free
__global__ void ring_ok(const int *in, int *out, int tiles)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 2; k++) {
        if (k < tiles) copy4(&s[k][t], &in[k * 64 + t]);
        end_group();
    }
    for (int k = 0; k < tiles; k++) {
        wait_but<1>();
        __syncthreads();
        if (k + 2 < tiles) copy4(&s[(k + 2) % 3][t], &in[(k + 2) * 64 + t]);
        end_group();
        sum += s[k % 3][63 - t];
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] Two groups may be under way at the wait: the stage that is read is one of them.
//~ race
__global__ void ring_few_bad(const int *in, int *out, int tiles)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 2; k++) {
        if (k < tiles) copy4(&s[k][t], &in[k * 64 + t]);
        end_group();
    }
    for (int k = 0; k < tiles; k++) {
        wait_but<2>();
        __syncthreads();
        if (k + 2 < tiles) copy4(&s[(k + 2) % 3][t], &in[(k + 2) * 64 + t]);
        end_group();
        sum += s[k % 3][63 - t]; //~ here
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] No barrier behind the wait.
//~ race
__global__ void ring_barrier_bad(const int *in, int *out, int tiles)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 2; k++) {
        if (k < tiles) copy4(&s[k][t], &in[k * 64 + t]);
        end_group();
    }
    for (int k = 0; k < tiles; k++) {
        wait_but<1>();
        if (k + 2 < tiles) copy4(&s[(k + 2) % 3][t], &in[(k + 2) * 64 + t]);
        end_group();
        sum += s[k % 3][63 - t]; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] The barrier stands before the wait.
//~ race
__global__ void ring_swapped_bad(const int *in, int *out, int tiles)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 2; k++) {
        if (k < tiles) copy4(&s[k][t], &in[k * 64 + t]);
        end_group();
    }
    for (int k = 0; k < tiles; k++) {
        __syncthreads();
        wait_but<1>();
        if (k + 2 < tiles) copy4(&s[(k + 2) % 3][t], &in[(k + 2) * 64 + t]);
        end_group();
        sum += s[k % 3][63 - t]; //~ here
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] The stage that is filled is the one that is read in the same round.
//~ race
__global__ void ring_stage_bad(const int *in, int *out, int tiles)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 2; k++) {
        if (k < tiles) copy4(&s[k][t], &in[k * 64 + t]);
        end_group();
    }
    for (int k = 0; k < tiles; k++) {
        wait_but<1>();
        __syncthreads();
        if (k + 2 < tiles) copy4(&s[(k + 3) % 3][t], &in[(k + 2) * 64 + t]);
        end_group();
        sum += s[k % 3][63 - t]; //~ here
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] A stage is filled again before all have read it: two stages, one barrier a round, and the copy before it.
//~ race
__global__ void ring_reuse_bad(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    copy4(&s[0][t], &in[t]);
    end_group();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) copy4(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t]);
        end_group();
        wait_but<1>();
        __syncthreads();
        sum += s[k % 2][63 - t]; //~ here
    }
    out[blockIdx.x * 64 + t] = sum;
}

// With a second barrier.
//~ race-free
__global__ void ring_reuse_ok(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    copy4(&s[0][t], &in[t]);
    end_group();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) copy4(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t]);
        end_group();
        wait_but<1>();
        __syncthreads();
        sum += s[k % 2][63 - t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// The last round waits for all, the others for all but one.
//~ race-free
__global__ void ring_arms_ok(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) {
            __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], 4);
            __pipeline_commit();
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        sum += s[k % 2][63 - t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] In the last round no group follows, so that the wait for all but one leaves the one that is read.
//~ race
__global__ void ring_last_bad(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4); //~ here
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) {
            __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[k % 2][63 - t]; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// The condition is asked twice.
//~ race-free
__global__ void ring_twice_ok(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) {
            __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], 4);
            __pipeline_commit();
        }
        if (k + 1 < tiles) __pipeline_wait_prior(1);
        else __pipeline_wait_prior(0);
        __syncthreads();
        sum += s[k % 2][63 - t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// Each thread copies four elements a stage, in a loop, and all are read behind the loop that drains.
//~ race-free
__global__ void ring_rows_ok(const int *in, int *out, int tiles)
{
    __shared__ int s[2][256];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 4; i++) copy4(&s[0][i * 64 + t], &in[i * 64 + t]);
    end_group();
    for (int k = 1; k < tiles; k++) {
        for (int i = 0; i < 4; i++) copy4(&s[k & 1][i * 64 + t], &in[k * 256 + i * 64 + t]);
        end_group();
        wait_but<1>();
        __syncthreads();
        for (int i = 0; i < 4; i++) sum += s[(k - 1) & 1][255 - i - 4 * t];
        __syncthreads();
    }
    wait_but<0>();
    __syncthreads();
    if (tiles > 0) sum += s[(tiles - 1) & 1][255 - t];
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] Nobody waits for the last stage.
//~ race
__global__ void ring_drain_bad(const int *in, int *out, int tiles)
{
    __shared__ int s[2][256];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 4; i++) copy4(&s[0][i * 64 + t], &in[i * 64 + t]);
    end_group();
    for (int k = 1; k < tiles; k++) {
        for (int i = 0; i < 4; i++) copy4(&s[k & 1][i * 64 + t], &in[k * 256 + i * 64 + t]);
        end_group();
        wait_but<1>();
        __syncthreads();
        for (int i = 0; i < 4; i++) sum += s[(k - 1) & 1][255 - i - 4 * t];
        __syncthreads();
    }
    __syncthreads();
    if (tiles > 0) sum += s[(tiles - 1) & 1][255 - t]; //~ here
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] The thread reads its own element of the stage that is under way.
//~ race
__global__ void ring_own_bad(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    copy4(&s[0][t], &in[t]);
    end_group();
    for (int k = 0; k < tiles; k++) {
        copy4(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t]);
        end_group();
        wait_but<1>();
        sum += s[(k + 1) % 2][t]; //~ here
        wait_but<0>();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// Only its own elements, of the stage that it has waited for: no barrier is needed.
//~ race-free
__global__ void ring_own_ok(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    copy4(&s[0][t], &in[t]);
    end_group();
    for (int k = 0; k < tiles; k++) {
        copy4(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t]);
        end_group();
        wait_but<1>();
        sum += s[k % 2][t];
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] A copy in a loop writes where the copy of the round before writes, and nobody waits in between.
//~ race
__global__ void copy_over_copy_bad(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) copy4(&s[t], &in[i * 64 + t]);
    end_group();
    wait_but<0>();
    out[blockIdx.x * 64 + t] = s[t];
}

// [copy] The copy of the round before is met where this round reads, before it begins its own.
//~ race
__global__ void copy_read_next_bad(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    s[t] = 0;
    for (int i = 0; i < n; i++) {
        sum += s[t]; //~ here
        copy4(&s[t], &in[i * 64 + t]);
    }
    out[blockIdx.x * 64 + t] = sum;
}

// A group that no barrier waits for goes on round the loop: what all do meanwhile is elsewhere.
//~ race-free
__global__ void copy_elsewhere_ok(const int *in, int *out, int n)
{
    __shared__ int s[64], r[64];
    int t = threadIdx.x, sum = 0;
    copy4(&s[t], &in[t]);
    end_group();
    for (int i = 0; i < n; i++) {
        r[t] = i;
        __syncthreads();
        sum += r[63 - t];
        __syncthreads();
    }
    wait_but<0>();
    __syncthreads();
    out[blockIdx.x * 64 + t] = sum + s[63 - t];
}

// [copy] In the loop others read what is copied.
//~ race
__global__ void copy_meanwhile_bad(const int *in, int *out, int n)
{
    __shared__ int s[64], r[64];
    int t = threadIdx.x, sum = 0;
    s[t] = 0;
    __syncthreads();
    copy4(&s[t], &in[t]);
    end_group();
    for (int i = 0; i < n; i++) {
        r[t] = i;
        __syncthreads();
        sum += r[63 - t] + s[63 - t]; //~ here
        __syncthreads();
    }
    wait_but<0>();
    out[blockIdx.x * 64 + t] = sum;
}
