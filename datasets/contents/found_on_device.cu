// Contents: what algorithms of libraries and functions of the program make of index arrays

#include <numeric>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

int *kept_by_function;

void number(int *a, int count)
{
    for (int i = 0; i < count; i++) a[i] = i;
}

void number_few(int *a, short count)
{
    for (int i = 0; i < count; i++) a[i] = i;
}

void number_half(int *a, int count)
{
    count /= 2;
    for (int i = 0; i < count; i++) a[i] = i;
}

void number_unless(int *a, int count, bool done)
{
    if (done) return;
    for (int i = 0; i < count; i++) a[i] = i;
}

void number_and_keep(int *a, int count)
{
    kept_by_function = a;
    for (int i = 0; i < count; i++) a[i] = i;
}

void clear_kept()
{
    kept_by_function[1] = 0;
}

void halve(int *a, int count)
{
    for (int i = 0; i < count; i++) a[i] /= 2;
}

// A vector on the device is numbered.
//~ race-free
__global__ void filled_sequence_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_sequence_ok(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::sequence(d.begin(), d.end());
    filled_sequence_ok<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [last element] It is numbered but for the last element.
//~ race
__global__ void filled_sequence_short_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_sequence_short_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::sequence(d.begin(), d.begin() + (n - 1));
    filled_sequence_short_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// In steps of three.
//~ race-free
__global__ void filled_sequence_steps_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_sequence_steps_ok(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::sequence(thrust::device, d.begin(), d.end(), 5, 3);
    filled_sequence_steps_ok<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [step] Steps of zero.
//~ race
__global__ void filled_sequence_still_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_sequence_still_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::sequence(thrust::device, d.begin(), d.end(), 5, 0);
    filled_sequence_still_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [filled after] All elements are set to one.
//~ race
__global__ void filled_sequence_filled_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_sequence_filled_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    thrust::sequence(d.begin(), d.end());
    thrust::fill(d.begin(), d.end(), 3);
    filled_sequence_filled_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// By a pointer that is declared for it.
//~ race-free
__global__ void filled_sequence_pointer_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_sequence_pointer_ok(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    int *p = thrust::raw_pointer_cast(&d[0]);
    thrust::sequence(d.begin(), d.end());
    filled_sequence_pointer_ok<<<(n + 255) / 256, 256>>>(out, in, p, n);
}

// [other name] The pointer is used to fill it again.
//~ race
__global__ void filled_sequence_pointer_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_sequence_pointer_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    int *p = thrust::raw_pointer_cast(&d[0]);
    thrust::sequence(d.begin(), d.end());
    thrust::fill(thrust::device, p, p + n, 3);
    filled_sequence_pointer_bad<<<(n + 255) / 256, 256>>>(out, in, p, n);
}

// [other pointer] The pointer is that of another vector afterwards.
//~ race
__global__ void filled_sequence_pointer_set_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_sequence_pointer_set_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n), e(n);
    int *p = thrust::raw_pointer_cast(d.data());
    thrust::sequence(d.begin(), d.end());
    p = thrust::raw_pointer_cast(e.data());
    filled_sequence_pointer_set_bad<<<(n + 255) / 256, 256>>>(out, in, p, n);
}

// [other size] The vector moves when it grows: the pointer leads to memory that is free.
//~ race
__global__ void filled_sequence_grown_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_sequence_grown_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    int *p = thrust::raw_pointer_cast(d.data());
    thrust::sequence(d.begin(), d.end());
    d.resize(2 * n);
    filled_sequence_grown_bad<<<(n + 255) / 256, 256>>>(out, in, p, n);
}

// A pointer to memory of the device that algorithms take.
//~ race-free
__global__ void filled_sequence_device_pointer_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_sequence_device_pointer_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    thrust::device_ptr<int> p(d);
    thrust::sequence(p, p + n);
    filled_sequence_device_pointer_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [element] One element is set by it.
//~ race
__global__ void filled_sequence_device_pointer_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_sequence_device_pointer_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    thrust::device_ptr<int> p(d);
    thrust::sequence(p, p + n);
    p[1] = 0;
    filled_sequence_device_pointer_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [allocated again] The pointer is one to what was there before.
//~ race
__global__ void filled_sequence_allocated_again_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_sequence_allocated_again_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    thrust::device_ptr<int> p(d);
    cudaMalloc(&d, n * sizeof(int));
    thrust::sequence(p, p + n);
    filled_sequence_allocated_again_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// Memory of the device, as the policy says.
//~ race-free
__global__ void filled_sequence_policy_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_sequence_policy_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    thrust::sequence(thrust::device, d, d + n);
    filled_sequence_policy_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [stream] In another stream, which does not wait for the algorithm.
//~ race
__global__ void filled_sequence_stream_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_sequence_stream_bad(float *out, const float *in, int n, cudaStream_t stream)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    thrust::sequence(thrust::cuda::par_nosync, d, d + n);
    filled_sequence_stream_bad<<<(n + 255) / 256, 256, 0, stream>>>(out, in, d, n);
}

// Numbered by the processor, and copied when the vector is made.
//~ race-free
__global__ void filled_iota_copied_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_iota_copied_ok(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    std::iota(h.begin(), h.end(), 0);
    thrust::device_vector<int> d(h.begin(), h.end());
    filled_iota_copied_ok<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [before] Copied before it is numbered.
//~ race
__global__ void filled_iota_copied_before_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_iota_copied_before_bad(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    thrust::device_vector<int> d(h.begin(), h.end());
    std::iota(h.begin(), h.end(), 0);
    filled_iota_copied_before_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// A vector of thrust in memory of the processor, which is assigned.
//~ race-free
__global__ void filled_host_vector_assigned_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_host_vector_assigned_ok(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d;
    d = h;
    filled_host_vector_assigned_ok<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [assigned again] And another one is assigned.
//~ race
__global__ void filled_host_vector_assigned_again_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_host_vector_assigned_again_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n), g(n);
    thrust::sequence(h.begin(), h.end());
    for (int i = 0; i < n; i++) g[i] = i / 2;
    thrust::device_vector<int> d;
    d = h;
    d = g;
    filled_host_vector_assigned_again_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// Copied by an algorithm.
//~ race-free
__global__ void filled_copy_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_copy_ok(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    thrust::copy(h.begin(), h.end(), d.begin());
    filled_copy_ok<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [part] All but one element are copied.
//~ race
__global__ void filled_copy_short_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_copy_short_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n);
    thrust::copy(h.begin(), h.begin() + (n - 1), d.begin());
    filled_copy_short_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [place] Copied to another place.
//~ race
__global__ void filled_copy_elsewhere_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_copy_elsewhere_bad(float *out, const float *in, int n)
{
    thrust::host_vector<int> h(n);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d(n + 1);
    thrust::copy(h.begin(), h.end(), d.begin() + 1);
    filled_copy_elsewhere_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// [order] A copy of the vector is a vector of its own.
//~ race
__global__ void filled_copy_of_vector_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_copy_of_vector_bad(float *out, const float *in, int n)
{
    thrust::device_vector<int> d(n);
    auto other = d;
    thrust::sequence(other.begin(), other.end());
    filled_copy_of_vector_bad<<<(n + 255) / 256, 256>>>(out, in, thrust::raw_pointer_cast(d.data()), n);
}

// A function of the file numbers it.
//~ race-free
__global__ void filled_callee_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_callee_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n);
    filled_callee_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [count] The function is told one less.
//~ race
__global__ void filled_callee_short_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_callee_short_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n - 1);
    filled_callee_short_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [place] The function begins with the second element.
//~ race
__global__ void filled_callee_second_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_callee_second_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, (n + 1) * sizeof(int));
    number(d + 1, n);
    filled_callee_second_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [returns] The function may leave before.
//~ race
__global__ void filled_callee_returns_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_callee_returns_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_unless(d, n, n > 100);
    filled_callee_returns_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [changed in the function] The function goes on with fewer.
//~ race
__global__ void filled_callee_count_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_callee_count_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_half(d, n);
    filled_callee_count_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [kept] The function keeps the address, and another one writes to it.
//~ race
__global__ void filled_callee_keeps_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_callee_keeps_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_and_keep(d, n);
    clear_kept();
    filled_callee_keeps_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [branch] The function is called on one way only.
//~ race
__global__ void filled_callee_one_way_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_callee_one_way_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    if (n > 100) number(d, n);
    filled_callee_one_way_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [then another] A second function writes to it.
//~ race
__global__ void filled_callee_then_other_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_callee_then_other_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n);
    halve(d, n);
    filled_callee_then_other_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// A function numbers what the processor copies.
//~ race-free
__global__ void filled_callee_copied_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_callee_copied_ok(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    number(h, n);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    filled_callee_copied_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [narrow] The count is cut off on its way.
//~ race
__global__ void filled_callee_narrow_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_callee_narrow_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_few(d, n);
    filled_callee_narrow_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [type] The halves of the elements are taken for places.
//~ race
__global__ void filled_halves_bad(float *out, const float *in, const unsigned short *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_halves_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    filled_halves_bad<<<(n + 255) / 256, 256>>>(out, in, (const unsigned short *)d, n);
}

// [type] A function numbers elements of 32 bits where there are ones of 16.
//~ race
__global__ void filled_callee_halves_bad(float *out, const float *in, const unsigned short *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_callee_halves_bad(float *out, const float *in, int n)
{
    unsigned short *d;
    cudaMallocManaged(&d, 2 * n * sizeof(unsigned short));
    number((int *)d, n);
    filled_callee_halves_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}
