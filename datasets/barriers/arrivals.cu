//--blockDim=64 --gridDim=2
// What a thread does between its arrival at a barrier and its wait there.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Between the two the thread reads what nobody writes any more, and writes what is its own.
//~ race-free
__global__ void arrive_early_ok(const int *in, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[t] = in[t];
    auto token = bar.arrive();
    int own = in[64 + t];
    bar.wait(std::move(token));
    out[blockIdx.x * 64 + t] = s[63 - t] + own;
}

// [barrier] The write comes behind the arrival: others do not wait for it.
//~ race
__global__ void arrive_early_bad(const int *in, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    auto token = bar.arrive();
    s[t] = in[t]; //~ here
    bar.wait(std::move(token));
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}

// [barrier] The read comes before the wait: others may not have arrived.
//~ race
__global__ void arrive_read_bad(const int *in, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[t] = in[t]; //~ here
    auto token = bar.arrive();
    int x = s[63 - t]; //~ here
    bar.wait(std::move(token));
    out[blockIdx.x * 64 + t] = x;
}

// Rounds: what is read behind the wait is written again behind the next one.
//~ race-free
__global__ void arrive_rounds_ok(const int *in, int *out, int n)
{
    __shared__ block_barrier bar;
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s[t] = in[i * 64 + t];
        auto token = bar.arrive();
        sum += in[(i + 1) * 64 + t];
        bar.wait(std::move(token));
        sum += s[63 - t];
        bar.arrive_and_wait();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [barrier] In a loop between the two, own elements are written that others read behind the wait.
//~ race
__global__ void arrive_loop_bad(const int *in, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int s[256];
    int t = threadIdx.x, sum = 0;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    auto token = bar.arrive();
    for (int i = 0; i < 4; i++) s[i * 64 + t] = in[i * 64 + t]; //~ here
    bar.wait(std::move(token));
    for (int i = 0; i < 4; i++) sum += s[255 - i * 64 - t]; //~ here
    out[blockIdx.x * 64 + t] = sum;
}

// In the loop own elements are written, and own ones are read.
//~ race-free
__global__ void arrive_loop_ok(const int *in, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int s[256];
    int t = threadIdx.x, sum = 0;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    auto token = bar.arrive();
    for (int i = 0; i < 4; i++) s[i * 64 + t] = in[i * 64 + t];
    bar.wait(std::move(token));
    for (int i = 0; i < 4; i++) sum += s[(3 - i) * 64 + t];
    out[blockIdx.x * 64 + t] = sum;
}
