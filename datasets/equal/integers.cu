// Integers modulo their width, for every size of block and grid.
//= equal blend_plain_ok blend_shift_ok blend_product_ok blend_choice_ok
//= equal larger_plain_ok larger_max_ok larger_branch_ok
//= different blend_plain_ok blend_constant_ok blend_factor_ok blend_negative_ok blend_one_ok
//= different blend_shift_ok blend_constant_ok blend_factor_ok blend_negative_ok blend_one_ok
//= different blend_choice_ok blend_constant_ok blend_factor_ok blend_negative_ok blend_one_ok
//= different larger_plain_ok larger_min_ok larger_first_ok
//= different larger_max_ok larger_min_ok larger_first_ok
//= different larger_branch_ok larger_min_ok larger_first_ok

// The specification.
//~ race-free
__global__ void blend_plain_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 5 + 3;
}

// By shifts and sums.
//~ race-free
__global__ void blend_shift_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 4 + in[i] + 3;
}

// Distributed.
//~ race-free
__global__ void blend_product_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        out[i] = 5 * (v + 1) - 2;
    }
}

// In two choices with one result.
//~ race-free
__global__ void blend_choice_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        if (v > 0)
            out[i] = 5 * v + 3;
        else
            out[i] = v + 3 + 4 * v;
    }
}

// Another constant.
//~ race-free
__global__ void blend_constant_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 5 + 2;
}

// Another factor.
//~ race-free
__global__ void blend_factor_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 4 + 3;
}

// Otherwise for negative numbers.
//~ race-free
__global__ void blend_negative_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        out[i] = v >= 0 ? 5 * v + 3 : 5 * v - 3;
    }
}

// For one number otherwise.
//~ race-free
__global__ void blend_one_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        out[i] = v == 3 ? 17 : 5 * v + 3;
    }
}

// The larger of two.
//~ race-free
__global__ void larger_plain_ok(int *out, const int *in, const int *other, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] > other[i] ? in[i] : other[i];
}

// The larger of two, as a function.
//~ race-free
__global__ void larger_max_ok(int *out, const int *in, const int *other, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = max(in[i], other[i]);
}

// The larger of two, by a branch.
//~ race-free
__global__ void larger_branch_ok(int *out, const int *in, const int *other, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int best = in[i];
        if (other[i] > best)
            best = other[i];
        out[i] = best;
    }
}

// The smaller of two.
//~ race-free
__global__ void larger_min_ok(int *out, const int *in, const int *other, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = min(in[i], other[i]);
}

// The first, where they differ.
//~ race-free
__global__ void larger_first_ok(int *out, const int *in, const int *other, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] >= other[i] ? in[i] : in[i] + other[i];
}
