// Construct: accessors of PyTorch's tensors, its atomics and exchanges, its macros without its headers
#include <torch/extension.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/AccumulateType.h>

C10_HOST_DEVICE C10_ALWAYS_INLINE float halved(float v) { return v * 0.5f; }

template <typename scalar_t, int N>
using Accessor = torch::PackedTensorAccessor32<scalar_t, N, torch::RestrictPtrTraits>;

// A row for each thread, of as many columns as the tensor has.
//~ race-free
template <typename scalar_t>
__global__ void rows_scaled_ok(Accessor<scalar_t, 2> data, scalar_t factor)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= data.size(0)) return;
    for (int j = 0; j < data.size(1); j++) data[row][j] *= factor;
}

// [index] Two threads have one row.
//~ race
template <typename scalar_t>
__global__ void rows_scaled_bad(Accessor<scalar_t, 2> data, scalar_t factor)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 2;
    if (row >= data.size(0)) return;
    for (int j = 0; j < data.size(1); j++) data[row][j] *= factor; //~ here
}

// [index] The last column of a row is one too far: it is the first of the next.
//~ race
template <typename scalar_t>
__global__ void rows_too_long_bad(Accessor<scalar_t, 2> data)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= data.size(0)) return;
    auto own = data[row];
    for (int j = 0; j <= own.size(0); j++) own[j] = row + j; //~ here
}

// By the address and the stride.
//~ race-free
__global__ void by_stride_ok(torch::PackedTensorAccessor64<float, 3> data)
{
    long row = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (row < data.size(0)) data.data()[row * data.stride(0)] = data[row][0][0] + 1.f;
}

// All that other lanes and atomics do: sums into one element, and exchanges of a warp.
//~ race-free
template <typename scalar_t>
__global__ void sums_ok(const scalar_t *in, scalar_t *out, int n)
{
    using acc_t = at::acc_type<scalar_t, true>;
    CUDA_KERNEL_LOOP(i, n) {
        acc_t v = in[i];
        gpuAtomicAddNoReturn(out, static_cast<scalar_t>(v));
        gpuAtomicAdd(out + 1, in[i]);
        gpuAtomicMul(out + 2, in[i]);
        gpuAtomicMax(out + 3, in[i]);
        gpuAtomicMin(out + 4, in[i]);
        at::native::fastAtomicAdd(out, i % 8, 8, in[i], true);
    }
}

// [atomic against plain] Thread 0 of each block stores the first element.
//~ race
template <typename scalar_t>
__global__ void sums_bad(const scalar_t *in, scalar_t *out, int n)
{
    CUDA_KERNEL_LOOP(i, n) {
        gpuAtomicAddNoReturn(out, in[i]); //~ here
        gpuAtomicAdd(out + 1, in[i]);
        gpuAtomicMul(out + 2, in[i]);
        gpuAtomicMax(out + 3, in[i]);
        gpuAtomicMin(out + 4, in[i]);
        at::native::fastAtomicAdd(out, 8 + i % 8, 16, in[i], true);
    }
    if (threadIdx.x == 0) out[0] = in[0]; //~ here
}

// Exchanges of a whole warp.
//~ race-free
__global__ void exchanged_ok(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    v += WARP_SHFL_DOWN(v, 16) + WARP_SHFL_XOR(v, 8) + WARP_SHFL_UP(v, 1) + WARP_SHFL(v, 0);
    if (threadIdx.x % 32 == 0) out[i / 32] = halved(v);
}

// [index] All lanes store the sum of the warp, which one of them has.
//~ race
__global__ void exchanged_bad(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    v += WARP_SHFL_DOWN(v, 16) + WARP_SHFL_XOR(v, 8) + WARP_SHFL_UP(v, 1) + WARP_SHFL(v, 0);
    out[i / 32] = halved(v); //~ here
}

void run(torch::Tensor data, torch::Tensor out)
{
    const int rows = data.size(0);
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(data.scalar_type(), "rows", ([&] {
        auto all = data.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>();
        rows_scaled_ok<scalar_t><<<(rows + 255) / 256, 256>>>(all, scalar_t(2));
        rows_scaled_bad<scalar_t><<<(rows + 255) / 256, 256>>>(all, scalar_t(2));
        rows_too_long_bad<scalar_t><<<(rows + 255) / 256, 256>>>(all);
        sums_ok<scalar_t><<<(rows + 255) / 256, 256>>>(data.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), rows);
        sums_bad<scalar_t><<<(rows + 255) / 256, 256>>>(data.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), rows);
        C10_CUDA_KERNEL_LAUNCH_CHECK();
    }));
    by_stride_ok<<<(rows + 255) / 256, 256>>>(data.packed_accessor64<float, 3>());
    exchanged_ok<<<8, 256>>>(data.data_ptr<float>(), out.data_ptr<float>());
    exchanged_bad<<<8, 256>>>(data.data_ptr<float>(), out.data_ptr<float>());
}
