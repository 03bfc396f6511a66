//--blockDim=64 --gridDim=2
// Pipelines of one thread: each wait is for the oldest group that has not been waited for.
#include <cuda/pipeline>

// One stage: the wait, then a barrier.
//~ race-free
__global__ void pipe_one_ok(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t];
    pipe.consumer_release();
}

// [copy] Without the barrier.
//~ race
__global__ void pipe_one_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe); //~ here
    pipe.producer_commit();
    pipe.consumer_wait();
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
    pipe.consumer_release();
}

// The first of two groups is waited for, then the second.
//~ race-free
__global__ void pipe_two_ok(const int *in, int *out)
{
    __shared__ int s[64], r[64];
    int t = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    cuda::memcpy_async(&r[t], &in[64 + t], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    int x = s[63 - t];
    pipe.consumer_release();
    pipe.consumer_wait();
    __syncthreads();
    out[blockIdx.x * 64 + t] = x + r[63 - t];
}

// [copy] The second is read when only the first has been waited for.
//~ race
__global__ void pipe_two_bad(const int *in, int *out)
{
    __shared__ int s[64], r[64];
    int t = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    cuda::memcpy_async(&r[t], &in[64 + t], sizeof(int), pipe); //~ here
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t] + r[63 - t]; //~ here
}

// A ring of two stages, one group ahead: in each round the oldest is waited for.
//~ race-free
__global__ void pipe_ring_ok(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    for (int k = 0; k < tiles; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(int), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        sum += s[k % 2][63 - t];
        __syncthreads();
        pipe.consumer_release();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] The stage that is read is the one that was begun last.
//~ race
__global__ void pipe_ring_bad(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    for (int k = 0; k < tiles; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(int), pipe); //~ here
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        sum += s[(k + 1) % 2][63 - t]; //~ here
        __syncthreads();
        pipe.consumer_release();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// All but one, in each round but the last.
//~ race-free
__global__ void pipe_prior_ok(const int *in, int *out, int tiles)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    auto pipe = cuda::make_pipeline();
    cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) {
            cuda::memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(int), pipe);
            pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else {
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        }
        __syncthreads();
        sum += s[k % 2][63 - t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// [copy] All groups are waited for, and there is no barrier behind it.
//~ race
__global__ void pipe_prior_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe); //~ here
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    out[blockIdx.x * 64 + t] = s[63 - t]; //~ here
}
