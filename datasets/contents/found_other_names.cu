// Contents: other names of index arrays that host code fills, and copies of them

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

void touch(int *p);

struct Kept {
    int *first;
};

// Filled by another name of the memory.
//~ race-free
__global__ void named_plain_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_plain_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    for (int i = 0; i < n; i++) p[i] = i;
    named_plain_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// Passed by another name of the memory.
//~ race-free
__global__ void named_passed_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_passed_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    for (int i = 0; i < n; i++) d[i] = i;
    named_passed_ok<<<(n + 255) / 256, 256>>>(out, in, p, n);
}

// By a name of a name.
//~ race-free
__global__ void named_name_of_name_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_name_of_name_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    int *q = p;
    for (int i = 0; i < n; i++) q[i] = i;
    named_name_of_name_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// By the pointer to the elements of a vector on the processor.
//~ race-free
__global__ void named_data_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_data_ok(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    int *p = h.data();
    for (int i = 0; i < n; i++) p[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, p, n * sizeof(int), cudaMemcpyHostToDevice);
    named_data_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// By the address of the first element.
//~ race-free
__global__ void named_first_element_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_first_element_ok(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    int *p = &h[0];
    std::iota(p, p + n, 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    named_first_element_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// By an iterator that is kept.
//~ race-free
__global__ void named_iterator_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_iterator_ok(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    auto first = d.begin();
    thrust::sequence(first, first + n);
    named_iterator_ok<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// By a pointer to memory of the device that a function makes.
//~ race-free
__global__ void named_cast_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_cast_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    auto p = thrust::device_pointer_cast(d);
    thrust::sequence(p, p + n);
    named_cast_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// By pointers to memory of the device that are made where they are passed.
//~ race-free
__global__ void named_made_in_place_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_made_in_place_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    thrust::sequence(thrust::device_ptr<int>(d), thrust::device_ptr<int>(d) + n);
    named_made_in_place_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// A pointer to memory of the device gives the address.
//~ race-free
__global__ void named_get_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_get_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    thrust::device_ptr<int> p(d);
    thrust::sequence(p, p + n);
    named_get_ok<<<(n + 255) / 256, 256>>>(out, in, p.get(), n);
}

// The other name ends with its block.
//~ race-free
__global__ void named_inner_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_inner_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    {
        int *p = d;
        for (int i = 0; i < n; i++) p[i] = i;
    }
    named_inner_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// Memory and name are made anew in each round.
//~ race-free
__global__ void named_each_round_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_each_round_ok(float *out, const float *in, int n)
{
    for (int round = 0; round < 3; round++) {
        int *d;
        cudaMallocManaged(&d, n * sizeof(int));
        int *p = d;
        for (int i = 0; i < n; i++) p[i] = i;
        named_each_round_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
    }
}

// [other name] One element is set by the other name.
//~ race
__global__ void named_element_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_element_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    for (int i = 0; i < n; i++) d[i] = i;
    p[1] = 0;
    named_element_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other name] The other name is cleared.
//~ race
__global__ void named_cleared_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_cleared_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    for (int i = 0; i < n; i++) d[i] = i;
    cudaMemset(p, 0, n * sizeof(int));
    named_cleared_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other array] The name is that of another array.
//~ race
__global__ void named_other_array_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_other_array_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *e;
    cudaMallocManaged(&e, n * sizeof(int));
    int *p = e;
    for (int i = 0; i < n; i++) p[i] = i;
    named_other_array_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [unknown function] A function that is not seen gets the other name.
//~ race
__global__ void named_touched_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_touched_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    for (int i = 0; i < n; i++) d[i] = i;
    touch(p);
    named_touched_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [closure] A closure sets an element by the other name.
//~ race
__global__ void named_closure_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_closure_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    for (int i = 0; i < n; i++) d[i] = i;
    auto clear = [=]() { p[1] = 0; };
    clear();
    named_closure_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other pointer] The name goes on to another array in the first round.
//~ race
__global__ void named_set_in_loop_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_set_in_loop_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *e;
    cudaMallocManaged(&e, n * sizeof(int));
    int *p = d;
    for (int round = 0; round < 2; round++) {
        p = e;
        for (int i = 0; i < n; i++) p[i] = i;
    }
    named_set_in_loop_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [place] A name of the second element.
//~ race
__global__ void named_behind_first_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_behind_first_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    int *p = d + 1;
    p[0] = 0;
    named_behind_first_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [address] The address of the other name is kept.
//~ race
__global__ void named_address_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_address_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    int **q = &p;
    for (int i = 0; i < n; i++) d[i] = i;
    (*q)[1] = 0;
    named_address_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [reference] A reference to the pointer.
//~ race
__global__ void named_reference_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_reference_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *&p = d;
    for (int i = 0; i < n; i++) d[i] = i;
    p[1] = 0;
    named_reference_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [object] An object keeps the other name.
//~ race
__global__ void named_object_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_object_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    Kept kept = {p};
    for (int i = 0; i < n; i++) d[i] = i;
    kept.first[1] = 0;
    named_object_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [type] A name of the halves of the elements.
//~ race
__global__ void named_halves_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_halves_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    short *p = (short *)d;
    for (int i = 0; i < n; i++) d[i] = i;
    p[2] = 0;
    named_halves_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [either] A name of one or the other.
//~ race
__global__ void named_either_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_either_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *e;
    cudaMallocManaged(&e, n * sizeof(int));
    int *p = n > 100 ? e : d;
    for (int i = 0; i < n; i++) p[i] = i;
    named_either_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [block] A name in a block of its own.
//~ race
__global__ void named_inner_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_inner_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    {
        int *p = d;
        p[1] = 0;
    }
    named_inner_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [allocated again] The memory is another one afterwards.
//~ race
__global__ void named_allocated_again_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_allocated_again_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    for (int i = 0; i < n; i++) p[i] = i;
    cudaMallocManaged(&d, n * sizeof(int));
    named_allocated_again_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [allocated again] The name gets memory of its own.
//~ race
__global__ void named_name_allocated_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_name_allocated_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    cudaMallocManaged(&p, n * sizeof(int));
    for (int i = 0; i < n; i++) p[i] = i;
    named_name_allocated_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [reference] A reference to the vector.
//~ race
__global__ void named_vector_reference_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_vector_reference_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::sequence(d.begin(), d.end());
    auto &r = d;
    r[1] = 0;
    named_vector_reference_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [element] The first element is set by the pointer.
//~ race
__global__ void named_star_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_star_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::device_ptr<int> p = d.data();
    thrust::sequence(d.begin(), d.end());
    *(p + 1) = 0;
    named_star_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [iterator] An element is set by an iterator.
//~ race
__global__ void named_iterator_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_iterator_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    auto first = d.begin();
    thrust::sequence(d.begin(), d.end());
    first[1] = 0;
    named_iterator_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [iterator] An iterator goes on.
//~ race
__global__ void named_stepped_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_stepped_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    auto first = d.begin();
    ++first;
    thrust::sequence(first, d.end());
    named_stepped_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [kernel] A kernel before writes by the other name.
//~ race
__global__ void named_second_launch_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

// Sets the second element.
//~ race-free
__global__ void named_clear_kernel_ok(int *a)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) a[1] = 0;
}

void run_named_second_launch_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    for (int i = 0; i < n; i++) d[i] = i;
    named_clear_kernel_ok<<<1, 32>>>(p);
    named_second_launch_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [itself] Each element is made of the one before, by the other name.
//~ race
__global__ void named_read_before_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_read_before_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    d[0] = 0;
    for (int i = 1; i < n; i++) d[i] = p[i - 1] / 2;
    named_read_before_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [itself] Sums go on from the other name, which may be negative.
//~ race
__global__ void named_sum_falls_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_sum_falls_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    d[0] = 0;
    for (int i = 0; i < n - 1; i++) d[i + 1] = d[i] + p[i];
    named_sum_falls_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// What is assigned stays when its source is changed.
//~ race-free
__global__ void named_assigned_then_changed_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_assigned_then_changed_ok(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d;
    d = h;
    h[1] = 0;
    named_assigned_then_changed_ok<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// Copied by number.
//~ race-free
__global__ void named_copy_n_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_copy_n_ok(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    thrust::copy_n(h.begin(), n, d.begin());
    named_copy_n_ok<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// Copied between pointers of the processor.
//~ race-free
__global__ void named_copy_pointers_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_copy_pointers_ok(float *out, const float *in, int n)
{
    int *h = new int[n];
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    std::copy(h, h + n, d);
    named_copy_pointers_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// From vector to vector on the device.
//~ race-free
__global__ void named_vector_to_vector_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_named_vector_to_vector_ok(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::sequence(d.begin(), d.end());
    thrust::device_vector<int> e(n);
    thrust::copy(d.begin(), d.end(), e.begin());
    named_vector_to_vector_ok<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(e.data()), n);
}

// [part] All but one are copied.
//~ race
__global__ void named_copy_n_short_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_copy_n_short_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    thrust::copy_n(h.begin(), n - 1, d.begin());
    named_copy_n_short_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [then another] One element is copied over.
//~ race
__global__ void named_copied_over_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_copied_over_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    thrust::host_vector<int> g(1);
    thrust::copy(h.begin(), h.end(), d.begin());
    thrust::copy(g.begin(), g.end(), d.begin() + 1);
    named_copied_over_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [place] Copied from the second element on, of one that is twice there.
//~ race
__global__ void named_copied_from_part_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_copied_from_part_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    h[0] = 1;
    thrust::copy(h.begin(), h.end(), d.begin());
    named_copied_from_part_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [before] Copied before it is filled.
//~ race
__global__ void named_copied_before_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_copied_before_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::device_vector<int> d(n);
    thrust::copy(h.begin(), h.end(), d.begin());
    thrust::sequence(h.begin(), h.end());
    named_copied_before_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [type] Numbers of eight bits are copied.
//~ race
__global__ void named_narrow_copy_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_narrow_copy_bad(float *out, const float *in, int n)
{
    std::vector<unsigned char> h(n);
    for (int i = 0; i < n; i++) h[i] = i;
    thrust::device_vector<int> d(n);
    thrust::copy(h.begin(), h.end(), d.begin());
    named_narrow_copy_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [branch] Assigned on one way.
//~ race
__global__ void named_assigned_one_way_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_assigned_one_way_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    if (n > 100) d = h;
    named_assigned_one_way_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [loop] Assigned in a loop that may not run.
//~ race
__global__ void named_assigned_in_loop_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_assigned_in_loop_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    for (int round = 0; round < n - 5; round++) d = h;
    named_assigned_in_loop_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [condition] Assigned where a condition says so.
//~ race
__global__ void named_assigned_in_condition_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_assigned_in_condition_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    n > 100 ? (void)(d = h) : (void)0;
    named_assigned_in_condition_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [swap] Two vectors change places.
//~ race
__global__ void named_swapped_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_swapped_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::device_vector<int> e(n);
    thrust::sequence(d.begin(), d.end());
    d.swap(e);
    named_swapped_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [swap] A function makes two vectors change places.
//~ race
__global__ void named_swapped_by_function_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_swapped_by_function_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::device_vector<int> e(n);
    thrust::sequence(d.begin(), d.end());
    std::swap(d, e);
    named_swapped_by_function_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [move] What was filled is moved away and another one comes.
//~ race
__global__ void named_moved_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_moved_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::host_vector<int> g(n);
    h = std::move(g);
    thrust::device_vector<int> d = h;
    named_moved_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [then another] Two elements are set to zero.
//~ race
__global__ void named_filled_n_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_filled_n_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::sequence(d.begin(), d.end());
    thrust::fill_n(d.begin(), 2, 0);
    named_filled_n_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [size] Numbered while it is empty, and then copied.
//~ race
__global__ void named_empty_then_copied_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_empty_then_copied_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> g(n);
    thrust::host_vector<int> h;
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    thrust::copy(h.begin(), h.end(), d.begin());
    h = g;
    named_empty_then_copied_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [assigned] The name leads to what the vector had before.
//~ race
__global__ void named_name_of_assigned_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_name_of_assigned_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::device_vector<int> e(2 * n);
    int *p = thrust::raw_pointer_cast(d.data());
    d = e;
    thrust::sequence(d.begin(), d.begin() + n);
    named_name_of_assigned_bad<<<(n + 255) / 256, 256>>>(out, in, p, n);
}

// [stream] A stream that does not wait for the copy on the device.
//~ race
__global__ void named_copied_in_stream_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_named_copied_in_stream_bad(float *out, const float *in, int n, cudaStream_t stream)
{
    thrust::device_vector<int> d(n);
    cudaDeviceSynchronize();
    thrust::sequence(d.begin(), d.end());
    thrust::device_vector<int> e(n);
    thrust::copy(d.begin(), d.end(), e.begin());
    named_copied_in_stream_bad<<<(n + 255) / 256, 256, 0, stream>>>(out, in, thrust::raw_pointer_cast(e.data()), n);
}
