// Contents: what host code and earlier launches make of index arrays

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/scan.h>

// Each element is its number.
//~ race-free
__global__ void found_numbers_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void numbers(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    found_numbers_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
    cudaFree(d);
    free(h);
}

// [half] The second half is not filled.
//~ race
__global__ void found_half_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void half(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n / 2; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    found_half_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [written between] One element is set to another one.
//~ race
__global__ void found_set_after_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void set_after(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    h[1] = 0;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    found_set_after_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// Set after the copy was made: the copy stays.
//~ race-free
__global__ void found_set_behind_copy_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void set_behind_copy(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = n - 1 - i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    h[1] = 0;
    found_set_behind_copy_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [under way] Set while the copy may be under way.
//~ race
__global__ void found_set_under_way_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void set_under_way(float *out, const float *in, int n, cudaStream_t stream)
{
    int *h;
    cudaMallocHost(&h, n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    h[1] = 0;
    found_set_under_way_bad<<<(n + 255) / 256, 256, 0, stream>>>(out, in, d, n);
}

// The launch follows the copy in its stream.
//~ race-free
__global__ void found_in_stream_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void in_stream(float *out, const float *in, int n, cudaStream_t stream)
{
    int *h;
    cudaMallocHost(&h, n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    found_in_stream_ok<<<(n + 255) / 256, 256, 0, stream>>>(out, in, d, n);
}

// [stream] Another stream does not wait for the copy.
//~ race
__global__ void found_other_stream_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void other_stream(float *out, const float *in, int n, cudaStream_t stream, cudaStream_t other)
{
    int *h;
    cudaMallocHost(&h, n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    found_other_stream_bad<<<(n + 255) / 256, 256, 0, other>>>(out, in, d, n);
}

// The program waits for the copy.
//~ race-free
__global__ void found_waited_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void waited(float *out, const float *in, int n, cudaStream_t stream, cudaStream_t other)
{
    int *h;
    cudaMallocHost(&h, n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    h[1] = 0;
    found_waited_ok<<<(n + 255) / 256, 256, 0, other>>>(out, in, d, n);
}

// [allocation] Another array is copied.
//~ race
__global__ void found_other_array_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void other_array(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    int *other = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    for (int i = 0; i < n; i++) other[i] = rand();
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, other, n * sizeof(int), cudaMemcpyHostToDevice);
    found_other_array_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [part] The copy ends before the array does.
//~ race
__global__ void found_part_copied_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void part_copied(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, (n - 1) * sizeof(int), cudaMemcpyHostToDevice);
    found_part_copied_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [count] More elements are used than were filled.
//~ race
__global__ void found_count_grows_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void count_grows(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, 2 * n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    n *= 2;
    found_count_grows_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [narrow] Elements of 16 bits begin again.
//~ race
__global__ void found_narrow_bad(float *out, const float *in, const short *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i] + 32768] = in[i]; //~ here
}

void narrow(float *out, const float *in, int n)
{
    short *d;
    cudaMallocManaged(&d, n * sizeof(short));
    for (int i = 0; i < n; i++) d[i] = i;
    found_narrow_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [wrap] Twice as much wraps in unsigned numbers.
//~ race
__global__ void found_wraps_bad(float *out, const float *in, const unsigned *to, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void wraps(float *out, const float *in, unsigned n)
{
    unsigned *d;
    cudaMallocManaged(&d, n * sizeof(unsigned));
    for (unsigned i = 0; i < n; i++) d[i] = 1073741824u * i;
    found_wraps_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [modulo] Numbers that begin again.
//~ race
__global__ void found_modulo_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void modulo(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i % 100;
    found_modulo_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [alias] Another pointer to the array changes it.
//~ race
__global__ void found_alias_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void alias(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *second = d + 1;
    for (int i = 0; i < n; i++) d[i] = i;
    *second = 0;
    found_alias_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [reference] A reference to an element changes it.
//~ race
__global__ void found_reference_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void reference(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int &second = d[1];
    for (int i = 0; i < n; i++) d[i] = i;
    second = 0;
    found_reference_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [closure] A closure changes it.
//~ race
__global__ void found_closure_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void closure(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    auto clear = [=]() { d[1] = 0; };
    for (int i = 0; i < n; i++) d[i] = i;
    clear();
    found_closure_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [function] A function that is not seen gets it.
//~ race
__global__ void found_handed_on_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void change(int *);

void handed_on(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    change(d);
    found_handed_on_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// A function that only reads it gets it.
//~ race-free
__global__ void found_shown_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void show(const int *, int);

void shown(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = 2 * i + 1;
    show(d, n);
    found_shown_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [branch] It is filled on one way only.
//~ race
__global__ void found_one_way_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void one_way(float *out, const float *in, int n, bool plain)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    if (plain) {
        for (int i = 0; i < n; i++) d[i] = i;
    }
    found_one_way_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [jump] The loop may leave elements out.
//~ race
__global__ void found_left_out_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void left_out(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        if (rand() % 2) continue;
        d[i] = i;
    }
    found_left_out_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [step] Every second element is filled.
//~ race
__global__ void found_every_second_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void every_second(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i += 2) d[i] = i;
    found_every_second_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [order] The first round comes before it is filled.
//~ race
__global__ void found_filled_later_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void filled_later(float *out, const float *in, int n, int rounds)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int r = 0; r < rounds; r++) {
        found_filled_later_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) d[i] = i;
    }
}

// Filled in each round, before the launch.
//~ race-free
__global__ void found_each_round_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void each_round(float *out, const float *in, int n, int rounds)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++) d[i] = i + r;
        found_each_round_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
        cudaDeviceSynchronize();
        d[0] = 1;
    }
}

// A vector, numbered by the library.
//~ race-free
__global__ void found_iota_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void numbered(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    std::iota(h.begin(), h.end(), 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    found_iota_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// A shuffle of numbers is a permutation.
//~ race-free
__global__ void found_shuffled_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void shuffled(float *out, const float *in, int n, int seed)
{
    std::vector<int> h(n);
    std::iota(h.begin(), h.end(), 0);
    std::shuffle(h.begin(), h.end(), std::mt19937(seed));
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    found_shuffled_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [order] Elements are shuffled, and no longer in order.
//~ race
__global__ void found_shuffled_rows_bad(float *out, const int *begin, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r + 1 < n)
        for (int j = begin[r]; j < begin[r + 1]; j++) out[j] *= 2.0f; //~ here
}

void shuffled_rows(float *out, int n, int seed)
{
    std::vector<int> h(n);
    std::iota(h.begin(), h.end(), 0);
    std::shuffle(h.begin(), h.end(), std::mt19937(seed));
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    found_shuffled_rows_bad<<<(n + 255) / 256, 256>>>(out, d, n);
}

// Elements that change places by hand.
//~ race-free
__global__ void found_exchanged_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void exchanged(float *out, const float *in, int n)
{
    int *h = new int[n];
    for (int i = 0; i < n; i++) h[i] = i;
    for (int last = n - 1; last > 0; last--) {
        int other = rand() % (last + 1);
        int kept = h[last];
        h[last] = h[other];
        h[other] = kept;
    }
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    found_exchanged_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
    delete[] h;
}

// [exchange] The element is stored back where it was.
//~ race
__global__ void found_exchange_lost_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void exchange_lost(float *out, const float *in, int n)
{
    int *h = new int[n];
    for (int i = 0; i < n; i++) h[i] = i;
    for (int last = n - 1; last > 0; last--) {
        int other = rand() % (last + 1);
        int kept = h[last];
        h[last] = h[other];
        h[last] = kept;
        h[other] = kept;
    }
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    found_exchange_lost_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [part] Among those that change places are some that nothing was said of.
//~ race
__global__ void found_exchanged_part_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void exchanged_part(float *out, const float *in, int n, int m)
{
    int *h = new int[m];
    for (int i = 0; i < n; i++) h[i] = i;
    for (int last = m - 1; last > 0; last--) std::swap(h[last], h[rand() % (last + 1)]);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    found_exchanged_part_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// A table.
//~ race-free
__global__ void found_table_ok(float *out, const float *in, const int *to)
{
    int i = threadIdx.x;
    out[to[i]] = in[i];
}

void table(float *out, const float *in)
{
    int h[8] = {3, 1, 4, 0, 5, 2, 7, 6};
    int *d;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    found_table_ok<<<1, 8>>>(out, in, d);
}

// [table] One number stands twice.
//~ race
__global__ void found_table_twice_bad(float *out, const float *in, const int *to)
{
    int i = threadIdx.x;
    out[to[i]] = in[i]; //~ here
}

void table_twice(float *out, const float *in)
{
    int h[8] = {3, 1, 4, 0, 5, 2, 3, 6};
    int *d;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    found_table_twice_bad<<<1, 8>>>(out, in, d);
}

// Offsets that the host sums up.
//~ race-free
__global__ void found_sums_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void sums(float *val, int rows)
{
    std::vector<int> h(rows + 1);
    h[0] = 0;
    for (int r = 0; r < rows; r++) h[r + 1] = h[r] + rand() % 32;
    int *d;
    cudaMalloc(&d, (rows + 1) * sizeof(int));
    cudaMemcpy(d, h.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice);
    found_sums_ok<<<(rows + 255) / 256, 256>>>(val, d, rows);
}

// [negative] What is added may be negative.
//~ race
__global__ void found_sums_negative_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void sums_negative(float *val, const int *change, int rows)
{
    std::vector<int> h(rows + 1);
    h[0] = 0;
    for (int r = 0; r < rows; r++) h[r + 1] = h[r] + change[r];
    int *d;
    cudaMalloc(&d, (rows + 1) * sizeof(int));
    cudaMemcpy(d, h.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice);
    found_sums_negative_bad<<<(rows + 255) / 256, 256>>>(val, d, rows);
}

// A sum that goes along, of lengths that are not negative.
//~ race-free
__global__ void found_running_sum_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r + 1 < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void running_sum(float *val, int rows)
{
    int *length = (int *)malloc(rows * sizeof(int));
    int *h = (int *)malloc(rows * sizeof(int));
    for (int r = 0; r < rows; r++) length[r] = rand() % 64;
    int sum = 0;
    for (int r = 0; r < rows; r++) {
        h[r] = sum;
        sum += length[r];
    }
    int *d;
    cudaMalloc(&d, rows * sizeof(int));
    cudaMemcpy(d, h, rows * sizeof(int), cudaMemcpyHostToDevice);
    found_running_sum_ok<<<(rows + 255) / 256, 256>>>(val, d, rows);
}

// [last row] The row behind the last sum is not in order.
//~ race
__global__ void found_last_row_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void last_row(float *val, int rows)
{
    int *h = (int *)malloc((rows + 1) * sizeof(int));
    int sum = 0;
    for (int r = 0; r < rows; r++) {
        h[r] = sum;
        sum += rand() % 64;
    }
    h[rows] = 7;
    int *d;
    cudaMalloc(&d, (rows + 1) * sizeof(int));
    cudaMemcpy(d, h, (rows + 1) * sizeof(int), cudaMemcpyHostToDevice);
    found_last_row_bad<<<(rows + 255) / 256, 256>>>(val, d, rows);
}

// A scan of counts that are unsigned.
//~ race-free
__global__ void found_scanned_ok(float *val, const unsigned *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r + 1 < rows)
        for (unsigned j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void scanned(float *val, unsigned *lengths, int rows)
{
    unsigned *begin;
    cudaMalloc(&begin, rows * sizeof(unsigned));
    thrust::exclusive_scan(thrust::device, lengths, lengths + rows, begin);
    found_scanned_ok<<<(rows + 255) / 256, 256>>>(val, begin, rows);
}

// [signed] A scan of numbers that may be negative.
//~ race
__global__ void found_scanned_signed_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r + 1 < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void scanned_signed(float *val, int *lengths, int rows)
{
    int *begin;
    cudaMalloc(&begin, rows * sizeof(int));
    thrust::exclusive_scan(thrust::device, lengths, lengths + rows, begin);
    found_scanned_signed_bad<<<(rows + 255) / 256, 256>>>(val, begin, rows);
}

// The scan of a library, which is called twice: first for the size of its memory.
//~ race-free
__global__ void found_cub_scan_ok(float *val, const unsigned *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r + 1 < rows)
        for (unsigned j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void cub_scan(float *val, unsigned *lengths, int rows)
{
    unsigned *begin;
    cudaMalloc(&begin, rows * sizeof(unsigned));
    void *room = nullptr;
    size_t bytes = 0;
    cub::DeviceScan::ExclusiveSum(room, bytes, lengths, begin, rows);
    cudaMalloc(&room, bytes);
    cub::DeviceScan::ExclusiveSum(room, bytes, lengths, begin, rows);
    found_cub_scan_ok<<<(rows + 255) / 256, 256>>>(val, begin, rows);
}

// [size only] Only the size of its memory was asked for.
//~ race
__global__ void found_cub_size_bad(float *val, const unsigned *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r + 1 < rows)
        for (unsigned j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

void cub_size(float *val, unsigned *lengths, int rows)
{
    unsigned *begin;
    cudaMalloc(&begin, rows * sizeof(unsigned));
    void *room = nullptr;
    size_t bytes = 0;
    cub::DeviceScan::ExclusiveSum(room, bytes, lengths, begin, rows);
    found_cub_size_bad<<<(rows + 255) / 256, 256>>>(val, begin, rows);
}

// Sorted by the host.
//~ race-free
__global__ void found_sorted_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r + 1 < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

void sorted(float *val, int rows)
{
    std::vector<int> h(rows);
    for (int r = 0; r < rows; r++) h[r] = rand();
    std::sort(h.begin(), h.end());
    int *d;
    cudaMalloc(&d, rows * sizeof(int));
    cudaMemcpy(d, h.data(), rows * sizeof(int), cudaMemcpyHostToDevice);
    found_sorted_ok<<<(rows + 255) / 256, 256>>>(val, d, rows);
}

// [equal] In order is not different.
//~ race
__global__ void found_sorted_places_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void sorted_places(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = rand();
    std::sort(h.begin(), h.end());
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    found_sorted_places_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [descending] In the other order.
//~ race
__global__ void found_descending_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r + 2 < rows)
        for (int j = begin[r + 1]; j < begin[r]; j++) val[j] *= 2.0f; //~ here
}

void descending(float *val, int rows)
{
    std::vector<int> h(rows);
    for (int r = 0; r < rows; r++) h[r] = rand();
    std::sort(h.begin(), h.end(), std::greater<int>());
    h[0] = h[1];
    int *d;
    cudaMalloc(&d, rows * sizeof(int));
    cudaMemcpy(d, h.data(), rows * sizeof(int), cudaMemcpyHostToDevice);
    found_descending_bad<<<(rows + 255) / 256, 256>>>(val, d, rows);
}

// Keys between bounds: each thread counts its own.
//~ race-free
__global__ void found_bounded_ok(int *count, const int *key, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = t; i < n; i += blockDim.x * gridDim.x) count[t * 16 + key[i]]++;
}

void bounded(int *count, int n)
{
    int *key;
    cudaMallocManaged(&key, n * sizeof(int));
    for (int i = 0; i < n; i++) key[i] = rand() % 16;
    found_bounded_ok<<<32, 256>>>(count, key, n);
}

// [bounds] A key of 16 is the first of the next thread.
//~ race
__global__ void found_bound_missed_bad(int *count, const int *key, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = t; i < n; i += blockDim.x * gridDim.x) count[t * 16 + key[i]]++; //~ here
}

void bound_missed(int *count, int n)
{
    int *key;
    cudaMallocManaged(&key, n * sizeof(int));
    for (int i = 0; i < n; i++) key[i] = rand() % 17;
    found_bound_missed_bad<<<32, 256>>>(count, key, n);
}

// An earlier launch fills it.
//~ race-free
__global__ void found_fill_ok(int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i;
}

//~ race-free
__global__ void found_by_kernel_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void by_kernel(float *out, const float *in, int *to, int n)
{
    const int threads = 128;
    int blocks = (n + threads - 1) / threads;
    found_fill_ok<<<blocks, threads>>>(to, n);
    found_by_kernel_ok<<<blocks, threads>>>(out, in, to, n);
}

// [grid] The grid of the earlier launch is too small.
//~ race-free
__global__ void found_fill_rounded_ok(int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i;
}

//~ race
__global__ void found_grid_small_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void grid_small(float *out, const float *in, int *to, int n)
{
    found_fill_rounded_ok<<<n / 128, 128>>>(to, n);
    found_grid_small_bad<<<(n + 127) / 128, 128>>>(out, in, to, n);
}

// Threads go on in steps of the grid: any grid fills all.
//~ race-free
__global__ void found_fill_strides_ok(int *to, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) to[i] = n - 1 - i;
}

//~ race-free
__global__ void found_by_strides_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void by_strides(float *out, const float *in, int *to, int n)
{
    found_fill_strides_ok<<<8, 128>>>(to, n);
    found_by_strides_ok<<<(n + 127) / 128, 128>>>(out, in, to, n);
}

// [kernel between] Another launch writes to it.
//~ race-free
__global__ void found_fill_first_ok(int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i;
}

//~ race-free
__global__ void found_halve_ok(int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = to[i] / 2;
}

//~ race
__global__ void found_halved_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void halved(float *out, const float *in, int *to, int n)
{
    found_fill_first_ok<<<(n + 127) / 128, 128>>>(to, n);
    found_halve_ok<<<(n + 127) / 128, 128>>>(to, n);
    found_halved_bad<<<(n + 127) / 128, 128>>>(out, in, to, n);
}

// [kept address] A kernel keeps the address, and a later one writes by it.
__device__ int *found_kept;

//~ race-free
__global__ void found_keep_ok(int *to)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) found_kept = to;
}

//~ race-free
__global__ void found_write_kept_ok(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) found_kept[i] = 7;
}

//~ race
__global__ void found_kept_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void kept(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    found_keep_ok<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) d[i] = i;
    found_write_kept_ok<<<(n + 127) / 128, 128>>>(n);
    found_kept_bad<<<(n + 127) / 128, 128>>>(out, in, d, n);
}

// [offset] What is passed begins elsewhere in the array.
//~ race
__global__ void found_elsewhere_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void elsewhere(float *out, const float *in, int n, int from)
{
    int *d;
    cudaMallocManaged(&d, 2 * n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    found_elsewhere_bad<<<(n + 255) / 256, 256>>>(out, in, d + from, n);
}

// [written by the launch] The kernel writes to the array that it reads.
//~ race
__global__ void found_own_write_bad(float *out, int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        to[i] = to[i] & 7;
        out[to[i]] = i; //~ here
    }
}

void own_write(float *out, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    found_own_write_bad<<<(n + 255) / 256, 256>>>(out, d, n);
}
