// Construct: PyTorch's accessors by names that using-declarations and directives bring in

#include <torch/types.h>

using at::PackedTensorAccessor64;
using at::RestrictPtrTraits;
using namespace torch;

// Each thread has a column of its own.
//~ race-free
__global__ void declared_accessor_ok(PackedTensorAccessor64<float, 2, RestrictPtrTraits> o)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < o.size(1))
        for (int row = 0; row < o.size(0); row++)
            o[row][column] = 1;
}

// [same-element] All threads have the same columns.
//~ race
__global__ void declared_accessor_bad(PackedTensorAccessor64<float, 2, RestrictPtrTraits> o)
{
    for (int column = 0; column < o.size(1); column++)
        o[0][column] = threadIdx.x; //~ here
}

// A row of an accessor is one as well.
//~ race-free
__global__ void directed_accessor_ok(PackedTensorAccessor32<int, 2, RestrictPtrTraits> o)
{
    auto row = o[blockIdx.x];
    if (threadIdx.x < row.size(0))
        row[threadIdx.x] = 1;
}

// [missing-bound] A thread behind the end of the row meets the next one.
//~ race
__global__ void directed_accessor_bad(PackedTensorAccessor32<int, 2, RestrictPtrTraits> o)
{
    auto row = o[blockIdx.x];
    row[threadIdx.x] = blockIdx.x; //~ here
}
