// Construct: launches with the memory of PyTorch's tensors

#include <torch/extension.h>

// Two tensors of which much is asked have memory of their own.
//~ race-free
__global__ void tensors_two_ok(float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        y[i] = x[i + 1];
}

// [one-tensor] One of them was assigned to the other.
//~ race
__global__ void tensors_two_bad(float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        y[i] = x[i + 1]; //~ here
}

// A new tensor has memory of its own.
//~ race-free
__global__ void tensors_new_ok(float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + 1];
}

// [one-tensor] A copy of the handle has not.
//~ race
__global__ void tensors_new_bad(float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + 1]; //~ here
}

// [one-tensor] A new one only under a condition.
//~ race
__global__ void tensors_either_bad(float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + 1]; //~ here
}

// [one-tensor] A function of the unit gets one tensor twice.
//~ race
__global__ void tensors_passed_bad(float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + 1]; //~ here
}

// [one-tensor] So does one that a module exports.
//~ race
__global__ void tensors_exported_bad(float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + 1]; //~ here
}

// [same-tensor] A new tensor is both arguments, a part apart.
//~ race
__global__ void tensors_part_bad(float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + 1]; //~ here
}

// A size that was checked, asked again.
//~ race-free
__global__ void tensors_size_ok(int *p) { p[threadIdx.x % 32] = threadIdx.x; }

// [not-checked] Another one.
//~ race
__global__ void tensors_size_bad(int *p) { p[threadIdx.x % 32] = threadIdx.x; } //~ here

// [resized] The tensor was resized since.
//~ race
__global__ void tensors_resized_bad(int *p) { p[threadIdx.x % 32] = threadIdx.x; } //~ here

// [resized] A copy of the tensor was.
//~ race
__global__ void tensors_copy_resized_bad(int *p) { p[threadIdx.x % 32] = threadIdx.x; } //~ here

// [resized] A copy of the tensor is, in an iteration.
//~ race
__global__ void tensors_loop_resized_bad(int *p) { p[threadIdx.x % 32] = threadIdx.x; } //~ here

// [not-checked] It is another tensor now.
//~ race
__global__ void tensors_replaced_bad(int *p) { p[threadIdx.x % 32] = threadIdx.x; } //~ here

// [not-checked] The last dimension need not be the first.
//~ race
__global__ void tensors_last_bad(int *p) { p[threadIdx.x % 32] = threadIdx.x; } //~ here

void tensors_two(torch::Tensor x, torch::Tensor y)
{
    TORCH_CHECK(x.device() == y.device(), "one device");
    if (x.options().dtype() != torch::kFloat32 || y.options().dtype() != torch::kFloat32)
        throw std::runtime_error("floats");
    int n = x.size(0) * x.size(1);
    auto first = reinterpret_cast<float *>(x.data_ptr());
    tensors_two_ok<<<(n + 255) / 256, 256>>>(first, reinterpret_cast<float *>(y.data_ptr()), n);
    y = x;
    tensors_two_bad<<<(n + 255) / 256, 256>>>(first, y.data_ptr<float>(), n);
}

torch::Tensor tensors_new(torch::Tensor x, bool same)
{
    auto y = torch::empty_like(x);
    tensors_new_ok<<<8, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());
    auto z = y;
    tensors_new_bad<<<8, 64>>>(z.data_ptr<float>(), y.data_ptr<float>());
    torch::Tensor either;
    if (same)
        either = x;
    else
        either = torch::zeros({8, 64}, x.options().dtype(torch::kFloat32));
    tensors_either_bad<<<8, 64>>>(x.data_ptr<float>(), either.data_ptr<float>());
    tensors_part_bad<<<8, 64>>>(y.data_ptr<float>(), y.data_ptr<float>() + 64);
    return y;
}

static void tensors_to(torch::Tensor x, torch::Tensor y)
{
    tensors_passed_bad<<<8, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());
}

static void tensors_exported(torch::Tensor x, torch::Tensor y)
{
    tensors_exported_bad<<<8, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());
}

void tensors_in_place(torch::Tensor x) { tensors_to(x, x); }

void tensors_sizes(torch::Tensor x, torch::Tensor z, int *p)
{
    TORCH_CHECK(x.dim() == 2, "a matrix");
    TORCH_CHECK(x.size(0) <= 32, "too many rows");
    tensors_size_ok<<<1, x.size(0)>>>(p);
    tensors_size_bad<<<1, z.size(0)>>>(p);
    tensors_last_bad<<<1, x.size(-1)>>>(p);
}

void tensors_resized(torch::Tensor x, int *p)
{
    TORCH_CHECK(x.size(0) <= 32, "too many rows");
    x.resize_({64});
    tensors_resized_bad<<<1, x.size(0)>>>(p);
}

void tensors_copy_resized(torch::Tensor x, int *p)
{
    TORCH_CHECK(x.size(0) <= 32, "too many rows");
    auto y = x;
    y.resize_({64});
    tensors_copy_resized_bad<<<1, x.size(0)>>>(p);
}

void tensors_loop_resized(torch::Tensor x, int *p)
{
    TORCH_CHECK(x.size(0) <= 32, "too many rows");
    auto y = x;
    for (int i = 0; i < 3; i++) {
        tensors_loop_resized_bad<<<1, x.size(0)>>>(p);
        y.resize_({64});
    }
}

void tensors_replaced(torch::Tensor x, int *p)
{
    TORCH_CHECK(x.size(0) <= 32, "too many rows");
    x = torch::zeros({64});
    tensors_replaced_bad<<<1, x.size(0)>>>(p);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module)
{
    module.def("two", &tensors_two, "two");
    module.def("new", &tensors_new, "new");
    module.def("exported", [](torch::Tensor t) { tensors_exported(t, t); });
}
