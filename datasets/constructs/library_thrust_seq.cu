// Construct: algorithms of Thrust that one thread runs by itself
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/sort.h>

// The list is read before thread 0 shortens it.
//~ race-free
__global__ void shortened_ok(const int *in, int *out)
{
    __shared__ int list[64], left;
    list[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int mine = list[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) left = thrust::remove(thrust::seq, list, list + 64, 0) - list;
    __syncthreads();
    out[threadIdx.x] = mine + left;
}

// [missing barrier] Some still read what it moves.
//~ race
__global__ void shortened_bad(const int *in, int *out)
{
    __shared__ int list[64], left;
    list[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int mine = list[63 - threadIdx.x]; //~ here
    if (threadIdx.x == 0) left = thrust::remove(thrust::seq, list, list + 64, 0) - list;
    __syncthreads();
    out[threadIdx.x] = mine + left;
}

// Each thread has a row of its own.
//~ race-free
__global__ void own_row_ok(float *rows, float *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *row = rows + i * 16;
    thrust::fill(thrust::seq, row, row + 16, (float)i);
    sums[i] = thrust::reduce(thrust::seq, row, row + 16, 0.0f);
}

// [extent] What is behind the row is filled by the next thread.
//~ race
__global__ void own_row_bad(float *rows, float *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *row = rows + i * 16;
    thrust::fill(thrust::seq, row, row + 16, (float)i); //~ here
    sums[i] = row[16]; //~ here
}

// Four warps, whose first lanes sum up what their warps have stored.
//~ race-free
__global__ void sums_of_warps_ok(const float *in, float *out)
{
    __shared__ float all[128];
    all[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
        float *own = all + threadIdx.x;
        out[threadIdx.x / 32] = thrust::reduce(thrust::seq, own, own + 32, 0.0f);
    }
}

// [extent] They sum up the first element of the next warp, too.
//~ race
__global__ void sums_of_warps_bad(const float *in, float *out)
{
    __shared__ float all[129];
    all[threadIdx.x] = in[threadIdx.x]; //~ here
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
        float *own = all + threadIdx.x;
        out[threadIdx.x / 32] = thrust::reduce(thrust::seq, own, own + 33, 0.0f); //~ here
    }
}

// [missing barrier] Thread 0 sorts while the others store.
//~ race
__global__ void sorted_bad(const int *in, int *out)
{
    __shared__ int list[8];
    if (threadIdx.x < 8) list[threadIdx.x] = in[threadIdx.x]; //~ here
    if (threadIdx.x == 0) thrust::sort(thrust::seq, list, list + 8);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = list[threadIdx.x];
}

void go(const int *i, int *o, const float *x, float *y, float *z)
{
    shortened_ok<<<1, 64>>>(i, o);
    shortened_bad<<<1, 64>>>(i, o);
    own_row_ok<<<10, 64>>>(y, z);
    own_row_bad<<<10, 64>>>(y, z);
    sums_of_warps_ok<<<1, 128>>>(x, z);
    sums_of_warps_bad<<<1, 128>>>(x, z);
    sorted_bad<<<1, 64>>>(i, o);
}
