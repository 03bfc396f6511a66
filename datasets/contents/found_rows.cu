// Contents: rows whose offsets host code adds up of counts

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

static void offsets_of(int *begin, const int *count, int rows)
{
    begin[0] = 0;
    for (int r = 0; r < rows; r++) begin[r + 1] = begin[r] + count[r];
}

static void count_keys(int *count, const int *key, int m)
{
    for (int e = 0; e < m; e++) count[key[e]]++;
}

static void count_down(int *count, const int *key, int m)
{
    for (int e = 0; e < m; e++) count[key[e]]--;
}

static void upload(int *to, const int *from, int count)
{
    cudaMemcpy(to, from, count * sizeof(int), cudaMemcpyHostToDevice);
}

static void upload_second(int *to, const int *from, const int *other, int count)
{
    cudaMemcpy(to, other, count * sizeof(int), cudaMemcpyHostToDevice);
}

static void scan_and_upload(int *to, std::vector<int> &begin, const std::vector<int> &count, int rows)
{
    begin[0] = 0;
    for (int r = 0; r < rows; r++) begin[r + 1] = begin[r] + count[r];
    cudaMemcpy(to, begin.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice);
}

// Keys are counted, and the counts are added.
//~ race-free
__global__ void rows_counted_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void run_rows_counted_ok(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_counted_ok<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// Counted one further, and added in place.
//~ race-free
__global__ void rows_in_place_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void run_rows_in_place_ok(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> begin(n + 1, 0);
    for (int e = 0; e < m; e++) begin[key[e] + 1]++;
    for (int r = 0; r < n; r++) begin[r + 1] += begin[r];
    thrust::device_vector<int> d = begin;
    rows_in_place_ok<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// Memory of C, cleared where it is made.
//~ race-free
__global__ void rows_calloc_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void run_rows_calloc_ok(float *val, const int *key, const int *step, int n, int m)
{
    int *begin = (int *)calloc(n + 1, sizeof(int));
    for (int e = 0; e < m; e++) begin[key[e] + 1] += 1;
    for (int r = 1; r <= n; r++) begin[r] += begin[r - 1];
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    cudaMemcpy(d, begin, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    rows_calloc_ok<<<(n + 255) / 256, 256>>>(val, d, n);
}

// Memory of C that is cleared.
//~ race-free
__global__ void rows_memset_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void run_rows_memset_ok(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)malloc(n * sizeof(int));
    int *begin = (int *)malloc((n + 1) * sizeof(int));
    memset(count, 0, n * sizeof(int));
    for (int e = 0; e < m; e++) ++count[key[e]];
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    cudaMemcpy(d, begin, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    rows_memset_ok<<<(n + 255) / 256, 256>>>(val, d, n);
}

// A function adds the counts.
//~ race-free
__global__ void rows_function_scans_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void run_rows_function_scans_ok(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)calloc(n, sizeof(int));
    for (int e = 0; e < m; e++) count[key[e]]++;
    int *begin = (int *)malloc((n + 1) * sizeof(int));
    offsets_of(begin, count, n);
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    cudaMemcpy(d, begin, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    rows_function_scans_ok<<<(n + 255) / 256, 256>>>(val, d, n);
}

// A function counts, another one adds, a third one copies.
//~ race-free
__global__ void rows_function_counts_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void run_rows_function_counts_ok(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)calloc(n, sizeof(int));
    count_keys(count, key, m);
    int *begin = (int *)malloc((n + 1) * sizeof(int));
    offsets_of(begin, count, n);
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    upload(d, begin, n + 1);
    rows_function_counts_ok<<<(n + 255) / 256, 256>>>(val, d, n);
}

// A function gets vectors.
//~ race-free
__global__ void rows_vectors_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void run_rows_vectors_ok(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    scan_and_upload(d, begin, count, n);
    rows_vectors_ok<<<(n + 255) / 256, 256>>>(val, d, n);
}

// Added by an algorithm.
//~ race-free
__global__ void rows_exclusive_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void run_rows_exclusive_ok(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n + 1, 0);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> first(n + 1);
    std::exclusive_scan(count.begin(), count.end(), first.begin(), 0);
    thrust::device_vector<int> d = first;
    rows_exclusive_ok<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// Added by an algorithm on the device.
//~ race-free
__global__ void rows_on_device_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void run_rows_on_device_ok(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n + 1);
    for (int e = 0; e < m; e++) count[key[e]]++;
    thrust::device_vector<int> d = count;
    thrust::exclusive_scan(d.begin(), d.end(), d.begin());
    rows_on_device_ok<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// A kernel counts, an algorithm adds.
//~ race-free
__global__ void rows_counted_on_device_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

// Counts keys.
//~ race-free
__global__ void rows_count_kernel_ok(int *count, const int *key, int m)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < m) atomicAdd(&count[key[e]], 1);
}

void run_rows_counted_on_device_ok(float *val, const int *key, const int *step, int n, int m)
{
    int *count;
    cudaMalloc(&count, (n + 1) * sizeof(int));
    cudaMemset(count, 0, (n + 1) * sizeof(int));
    rows_count_kernel_ok<<<(m + 255) / 256, 256>>>(count, key, m);
    thrust::exclusive_scan(thrust::device, count, count + (n + 1), count);
    rows_counted_on_device_ok<<<(n + 255) / 256, 256>>>(val, count, n);
}

// [sign] A kernel counts down.
//~ race
__global__ void rows_counted_down_on_device_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

// Counts keys down.
//~ race-free
__global__ void rows_down_kernel_ok(int *count, const int *key, int m)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < m) atomicSub(&count[key[e]], 1);
}

void run_rows_counted_down_on_device_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count;
    cudaMalloc(&count, (n + 1) * sizeof(int));
    cudaMemset(count, 0, (n + 1) * sizeof(int));
    rows_down_kernel_ok<<<(m + 255) / 256, 256>>>(count, key, m);
    thrust::exclusive_scan(thrust::device, count, count + (n + 1), count);
    rows_counted_down_on_device_bad<<<(n + 255) / 256, 256>>>(val, count, n);
}

// [cleared] A kernel counts in what is not cleared.
//~ race
__global__ void rows_not_cleared_on_device_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_not_cleared_on_device_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count;
    cudaMalloc(&count, (n + 1) * sizeof(int));
    rows_count_kernel_ok<<<(m + 255) / 256, 256>>>(count, key, m);
    thrust::exclusive_scan(thrust::device, count, count + (n + 1), count);
    rows_not_cleared_on_device_bad<<<(n + 255) / 256, 256>>>(val, count, n);
}

// [sign] A kernel adds steps that may be negative.
//~ race
__global__ void rows_steps_on_device_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

// Adds steps.
//~ race-free
__global__ void rows_step_kernel_ok(int *count, const int *key, const int *step, int m)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < m) atomicAdd(&count[key[e]], step[e]);
}

void run_rows_steps_on_device_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count;
    cudaMalloc(&count, (n + 1) * sizeof(int));
    cudaMemset(count, 0, (n + 1) * sizeof(int));
    rows_step_kernel_ok<<<(m + 255) / 256, 256>>>(count, key, step, m);
    thrust::exclusive_scan(thrust::device, count, count + (n + 1), count);
    rows_steps_on_device_bad<<<(n + 255) / 256, 256>>>(val, count, n);
}

// [cleared] What is counted in is not cleared.
//~ race
__global__ void rows_not_cleared_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_not_cleared_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)malloc(n * sizeof(int));
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_not_cleared_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [sign] Counted down.
//~ race
__global__ void rows_counted_down_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_counted_down_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n);
    for (int e = 0; e < m; e++) count[key[e]]--;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_counted_down_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [sign] Steps are added that may be negative.
//~ race
__global__ void rows_steps_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_steps_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n);
    for (int e = 0; e < m; e++) count[key[e]] += step[e];
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_steps_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [sign] What is added is all bits, of an unsigned number.
//~ race
__global__ void rows_wrapped_step_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_wrapped_step_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n);
    for (int e = 0; e < m; e++) count[key[e]] += 4294967295u;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_wrapped_step_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [sign] A kernel adds all bits, of an unsigned number.
//~ race
__global__ void rows_wrapped_step_on_device_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

// Adds all bits.
//~ race-free
__global__ void rows_bits_kernel_ok(int *count, const int *key, int m)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < m) atomicAdd(&count[key[e]], 4294967295u);
}

void run_rows_wrapped_step_on_device_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count;
    cudaMalloc(&count, (n + 1) * sizeof(int));
    cudaMemset(count, 0, (n + 1) * sizeof(int));
    rows_bits_kernel_ok<<<(m + 255) / 256, 256>>>(count, key, m);
    thrust::exclusive_scan(thrust::device, count, count + (n + 1), count);
    rows_wrapped_step_on_device_bad<<<(n + 255) / 256, 256>>>(val, count, n);
}

// [last element] The last count is not added.
//~ race
__global__ void rows_short_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_short_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n - 1; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_short_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [then another] One offset is changed afterwards.
//~ race
__global__ void rows_changed_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_changed_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    begin[1] = 1000;
    thrust::device_vector<int> d = begin;
    rows_changed_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [type] Counts of 16 bits become negative.
//~ race
__global__ void rows_narrow_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_narrow_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<short> count(n);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_narrow_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [bytes] As many bytes are cleared as there are counts.
//~ race
__global__ void rows_cleared_part_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_cleared_part_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)malloc(n * sizeof(int));
    memset(count, 0, n);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_cleared_part_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [value] All bits are set.
//~ race
__global__ void rows_cleared_to_ones_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_cleared_to_ones_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)malloc(n * sizeof(int));
    memset(count, 255, n * sizeof(int));
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_cleared_to_ones_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [value] Counts begin with minus two.
//~ race
__global__ void rows_begins_negative_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_begins_negative_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n, -2);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_begins_negative_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [then another] One count is set to a negative one.
//~ race
__global__ void rows_set_negative_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_set_negative_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n);
    for (int e = 0; e < m; e++) count[key[e]]++;
    count[1] = -5;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_set_negative_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [sign] Counts are subtracted.
//~ race
__global__ void rows_subtracted_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_subtracted_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> count(n);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] - count[r];
    thrust::device_vector<int> d = begin;
    rows_subtracted_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [place] Added from the second row on, where the first one has counts of its own.
//~ race
__global__ void rows_second_row_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_second_row_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> begin(n + 1);
    for (int e = 0; e < m; e++) begin[key[e]]++;
    for (int r = 1; r < n; r++) begin[r + 1] += begin[r];
    thrust::device_vector<int> d = begin;
    rows_second_row_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [sign] A function counts down.
//~ race
__global__ void rows_function_counts_down_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_function_counts_down_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)calloc(n, sizeof(int));
    count_down(count, key, m);
    int *begin = (int *)malloc((n + 1) * sizeof(int));
    offsets_of(begin, count, n);
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    cudaMemcpy(d, begin, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    rows_function_counts_down_bad<<<(n + 255) / 256, 256>>>(val, d, n);
}

// [other array] The function that copies takes another array.
//~ race
__global__ void rows_function_other_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_function_other_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)calloc(n, sizeof(int));
    count_keys(count, key, m);
    int *begin = (int *)malloc((n + 1) * sizeof(int));
    int *other = (int *)malloc((n + 1) * sizeof(int));
    offsets_of(begin, count, n);
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    upload_second(d, begin, other, n + 1);
    rows_function_other_bad<<<(n + 255) / 256, 256>>>(val, d, n);
}

// [count] The function adds fewer.
//~ race
__global__ void rows_function_fewer_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_function_fewer_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)calloc(n, sizeof(int));
    count_keys(count, key, m);
    int *begin = (int *)malloc((n + 1) * sizeof(int));
    offsets_of(begin, count, n / 2);
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    cudaMemcpy(d, begin, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    rows_function_fewer_bad<<<(n + 255) / 256, 256>>>(val, d, n);
}

// [count] The function copies fewer.
//~ race
__global__ void rows_upload_fewer_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_upload_fewer_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)calloc(n, sizeof(int));
    count_keys(count, key, m);
    int *begin = (int *)malloc((n + 1) * sizeof(int));
    offsets_of(begin, count, n);
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    upload(d, begin, n);
    rows_upload_fewer_bad<<<(n + 255) / 256, 256>>>(val, d, n);
}

// [before] The function copies before the counts are added.
//~ race
__global__ void rows_upload_before_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_upload_before_bad(float *val, const int *key, const int *step, int n, int m)
{
    int *count = (int *)calloc(n, sizeof(int));
    count_keys(count, key, m);
    int *begin = (int *)malloc((n + 1) * sizeof(int));
    int *d;
    cudaMalloc(&d, (n + 1) * sizeof(int));
    upload(d, begin, n + 1);
    offsets_of(begin, count, n);
    rows_upload_before_bad<<<(n + 255) / 256, 256>>>(val, d, n);
}

// [sign] A function adds what the caller of this one counted.
//~ race
__global__ void rows_unknown_counts_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_unknown_counts_bad(float *val, const int *key, const int *step, int n, int m)
{
    std::vector<int> begin(n + 1);
    offsets_of(begin.data(), step, n);
    thrust::device_vector<int> d = begin;
    rows_unknown_counts_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}

// [stream] Cleared on the device while the processor counts.
//~ race
__global__ void rows_memset_in_stream_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void run_rows_memset_in_stream_bad(float *val, const int *key, const int *step, int n, int m, cudaStream_t stream)
{
    int *count;
    cudaMallocManaged(&count, n * sizeof(int));
    cudaMemsetAsync(count, 0, n * sizeof(int), stream);
    for (int e = 0; e < m; e++) count[key[e]]++;
    std::vector<int> begin(n + 1);
    begin[0] = 0;
    for (int r = 0; r < n; r++) begin[r + 1] = begin[r] + count[r];
    thrust::device_vector<int> d = begin;
    rows_memset_in_stream_bad<<<(n + 255) / 256, 256>>>(val, thrust::raw_pointer_cast(d.data()), n);
}
