// What threads combine atomically: in global memory, or in shared memory first.
//= equal count_plain_ok count_strided_ok count_four_ok count_private_ok count_private_strided_ok count_skipped_ok
//= equal count_256_plain_ok count_256_private_ok count_256_two_ok
//= equal most_plain_ok most_private_ok
//= equal sum_each_ok sum_of_block_ok sum_of_tree_ok
//= equal count_private_ok count_private_of_any_block_ok
//= equal bytes_by_processors_ok bytes_of_block_by_processors_ok
//= different bytes_by_processors_ok bytes_of_short_stride_ok
//= different count_plain_ok count_short_ok count_again_ok count_mask_ok count_twice_ok count_unset_ok count_half_ok
//= different count_private_ok count_short_ok count_again_ok count_mask_ok count_unset_ok count_half_ok
//= different count_private_strided_ok count_again_ok count_mask_ok
//= different most_plain_ok most_from_one_ok
//= different most_private_ok most_from_one_ok
//= different sum_each_ok sum_of_block_twice_ok

// One of 64 counters for each element.
// warplog: launch block=256 grid=(n+255)/256
//~ race-free
__global__ void count_plain_ok(unsigned *count, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        atomicAdd(&count[in[i] % 64], 1);
}

// With as many blocks as there are.
// warplog: launch block=256
//~ race-free
__global__ void count_strided_ok(unsigned *count, const unsigned *in, unsigned n)
{
    for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x)
        atomicAdd(&count[in[i] % 64], 1);
}

// Four elements for each thread, one after the other.
// warplog: launch block=256 grid=(n+1023)/1024
//~ race-free
__global__ void count_four_ok(unsigned *count, const unsigned *in, unsigned n)
{
    unsigned i = 4 * (blockIdx.x * 256 + threadIdx.x);
    if (i < n)
        atomicAdd(&count[in[i] % 64], 1);
    if (i + 1 < n)
        atomicAdd(&count[in[i + 1] % 64], 1);
    if (i + 2 < n)
        atomicAdd(&count[in[i + 2] % 64], 1);
    if (i + 3 < n)
        atomicAdd(&count[in[i + 3] % 64], 1);
}

// Counters of the block first.
// warplog: launch block=256 grid=(n+255)/256
//~ race-free
__global__ void count_private_ok(unsigned *count, const unsigned *in, unsigned n)
{
    __shared__ unsigned own[64];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t < 64)
        own[t] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own[in[i] % 64], 1);
    __syncthreads();
    if (t < 64)
        atomicAdd(&count[t], own[t]);
}

// The same with as many blocks as there are.
// warplog: launch block=256
//~ race-free
__global__ void count_private_strided_ok(unsigned *count, const unsigned *in, unsigned n)
{
    __shared__ unsigned own[64];
    unsigned t = threadIdx.x;
    if (t < 64)
        own[t] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * 256 + t; i < n; i += 256 * gridDim.x)
        atomicAdd(&own[in[i] % 64], 1);
    __syncthreads();
    if (t < 64)
        atomicAdd(&count[t], own[t]);
}

// Counters of nothing are not handed on.
// warplog: launch block=256 grid=(n+255)/256
//~ race-free
__global__ void count_skipped_ok(unsigned *count, const unsigned *in, unsigned n)
{
    __shared__ unsigned own[64];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t < 64)
        own[t] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own[in[i] % 64], 1);
    __syncthreads();
    if (t < 64 && own[t] != 0)
        atomicAdd(&count[t], own[t]);
}

// For a block of any size.
//~ race-free
__global__ void count_private_of_any_block_ok(unsigned *count, const unsigned *in, unsigned n)
{
    __shared__ unsigned own[64];
    unsigned t = threadIdx.x;
    for (unsigned k = t; k < 64; k += blockDim.x)
        own[k] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&own[in[i] % 64], 1);
    __syncthreads();
    for (unsigned k = t; k < 64; k += blockDim.x)
        atomicAdd(&count[k], own[k]);
}

// Bytes, a counter for each value.
// warplog: launch block=128 grid=(n+127)/128
//~ race-free
__global__ void count_256_plain_ok(int *count, const unsigned char *in, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        atomicAdd(&count[in[i]], 1);
}

// Counters of the block, set and handed on in a loop.
// warplog: launch block=128 grid=(n+127)/128
//~ race-free
__global__ void count_256_private_ok(int *count, const unsigned char *in, int n)
{
    __shared__ int own[256];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    for (int k = t; k < 256; k += 128)
        own[k] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own[in[i]], 1);
    __syncthreads();
    for (int k = t; k < 256; k += 128)
        atomicAdd(&count[k], own[k]);
}

// Set and handed on in two statements.
// warplog: launch block=128 grid=(n+127)/128
//~ race-free
__global__ void count_256_two_ok(int *count, const unsigned char *in, int n)
{
    __shared__ int own[256];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    own[t] = 0;
    own[t + 128] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own[in[i]], 1);
    __syncthreads();
    atomicAdd(&count[t], own[t]);
    atomicAdd(&count[t + 128], own[t + 128]);
}

// The largest element of each of 16 classes.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void most_plain_ok(int *most, const unsigned *class_of, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        atomicMax(&most[class_of[i] % 16], in[i]);
}

// That of the block first.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void most_private_ok(int *most, const unsigned *class_of, const int *in, int n)
{
    __shared__ int own[16];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t < 16)
        own[t] = -2147483647 - 1;
    __syncthreads();
    if (i < n)
        atomicMax(&own[class_of[i] % 16], in[i]);
    __syncthreads();
    if (t < 16)
        atomicMax(&most[t], own[t]);
}

// It begins with zero, as if nothing was negative.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void most_from_one_ok(int *most, const unsigned *class_of, const int *in, int n)
{
    __shared__ int own[16];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t < 16)
        own[t] = 0;
    __syncthreads();
    if (i < n)
        atomicMax(&own[class_of[i] % 16], in[i]);
    __syncthreads();
    if (t < 16)
        atomicMax(&most[t], own[t]);
}

// One sum: each thread adds its element.
// warplog: launch block=128 grid=(n+127)/128
//~ race-free
__global__ void sum_each_ok(int *sum, const int *in, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        atomicAdd(sum, in[i]);
}

// The block adds its sum, which is combined atomically.
// warplog: launch block=128 grid=(n+127)/128
//~ race-free
__global__ void sum_of_block_ok(int *sum, const int *in, int n)
{
    __shared__ int own;
    int i = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, own);
}

// The block adds its sum, which is that of a tree.
// warplog: launch block=128 grid=(n+127)/128
//~ race-free
__global__ void sum_of_tree_ok(int *sum, const int *in, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(sum, s[0]);
}

// Two threads add it.
// warplog: launch block=128 grid=(n+127)/128
//~ race-free
__global__ void sum_of_block_twice_ok(int *sum, const int *in, int n)
{
    __shared__ int own;
    int i = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own, in[i]);
    __syncthreads();
    if (threadIdx.x < 2)
        atomicAdd(sum, own);
}

// The last element is left out.
// warplog: launch block=256 grid=(n+255)/256
//~ race-free
__global__ void count_short_ok(unsigned *count, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i + 1 < n)
        atomicAdd(&count[in[i] % 64], 1);
}

// The first element counts twice.
// warplog: launch block=256 grid=(n+255)/256
//~ race-free
__global__ void count_again_ok(unsigned *count, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        atomicAdd(&count[in[i] % 64], i == 0 ? 2 : 1);
}

// Half as many counters.
// warplog: launch block=256 grid=(n+255)/256
//~ race-free
__global__ void count_mask_ok(unsigned *count, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        atomicAdd(&count[in[i] % 32], 1);
}

// Two threads hand each counter on.
// warplog: launch block=256 grid=(n+255)/256
//~ race-free
__global__ void count_twice_ok(unsigned *count, const unsigned *in, unsigned n)
{
    __shared__ unsigned own[64];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t < 64)
        own[t] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own[in[i] % 64], 1);
    __syncthreads();
    if (t < 128)
        atomicAdd(&count[t % 64], own[t % 64]);
}

// Counters begin with one.
// warplog: launch block=256 grid=(n+255)/256
//~ race-free
__global__ void count_unset_ok(unsigned *count, const unsigned *in, unsigned n)
{
    __shared__ unsigned own[64];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t < 64)
        own[t] = 1;
    __syncthreads();
    if (i < n)
        atomicAdd(&own[in[i] % 64], 1);
    __syncthreads();
    if (t < 64)
        atomicAdd(&count[t], own[t]);
}

// Half of the counters are handed on.
// warplog: launch block=256 grid=(n+255)/256
//~ race-free
__global__ void count_half_ok(unsigned *count, const unsigned *in, unsigned n)
{
    __shared__ unsigned own[64];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t < 64)
        own[t] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own[in[i] % 64], 1);
    __syncthreads();
    if (t < 32)
        atomicAdd(&count[t], own[t]);
}

// Two blocks for each processor of the device, which go through all bytes.
// warplog: launch block=256 grid=2*processors
//~ race-free
__global__ void bytes_by_processors_ok(unsigned *count, const unsigned char *in, long n, int processors)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&count[in[i]], 1);
        i += step;
    }
}

// Each of them counts for itself first.
// warplog: launch block=256 grid=2*processors
//~ race-free
__global__ void bytes_of_block_by_processors_ok(unsigned *count, const unsigned char *in, long n, int processors)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&own[in[i]], 1);
        i += step;
    }
    __syncthreads();
    atomicAdd(&count[threadIdx.x], own[threadIdx.x]);
}

// Half of a step: bytes are counted twice.
// warplog: launch block=256 grid=2*processors
//~ race-free
__global__ void bytes_of_short_stride_ok(unsigned *count, const unsigned char *in, long n, int processors)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = blockDim.x * processors;
    while (i < n) {
        atomicAdd(&own[in[i]], 1);
        i += step;
    }
    __syncthreads();
    atomicAdd(&count[threadIdx.x], own[threadIdx.x]);
}
