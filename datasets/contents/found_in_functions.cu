// Contents: functions that fill index arrays for those that launch, and launch with those of others

#include <algorithm>
#include <numeric>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>

int *kept;

static void number(int *a, int count)
{
    for (int i = 0; i < count; i++) a[i] = i;
}

static void number_all(int *a, int count)
{
    number(a, count);
}

static void number_from_end(int count, int *a)
{
    for (int i = 0; i < count; ++i) {
        a[i] = count - 1 - i;
    }
}

static void number_both(int *a, int *b, int count)
{
    for (int i = 0; i < count; i++) {
        a[i] = i;
        b[i] = i / 2;
    }
}

static void number_vector(std::vector<int> &v)
{
    for (size_t i = 0; i < v.size(); i++) v[i] = i;
}

static void iota_vector(std::vector<int> &v)
{
    std::iota(v.begin(), v.end(), 0);
}

static void number_on_device(int *a, int count)
{
    thrust::sequence(thrust::device, a, a + count);
}

static void upload(int *to, const int *from, int count)
{
    cudaMemcpy(to, from, count * sizeof(int), cudaMemcpyHostToDevice);
}

static void number_through_copy(int *to, int count)
{
    std::vector<int> h(count);
    std::iota(h.begin(), h.end(), 0);
    cudaMemcpy(to, h.data(), count * sizeof(int), cudaMemcpyHostToDevice);
}

static int sum_of(const int *a, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) sum += a[i];
    return sum;
}

static void number_by_name(int *a, int count)
{
    int *p = a;
    for (int i = 0; i < count; i++) p[i] = i;
}

static void number_then_clear(int *a, int count)
{
    for (int i = 0; i < count; i++) a[i] = i;
    a[1] = 0;
}

static void number_one_more(int *a, int count)
{
    int less = count - 1;
    for (int i = 0; i < less; i++) a[i] = i;
}

static void number_then_name(int *a, int count)
{
    for (int i = 0; i < count; i++) a[i] = i;
    int *p = a;
    p[1] = 0;
}

static void number_local(int *a, int count)
{
    a = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++) a[i] = i;
}

static void number_if(int *a, int count, bool wanted)
{
    if (wanted) {
        for (int i = 0; i < count; i++) a[i] = i;
    }
}

static void number_and_overlap(int *a, int *b, int count)
{
    for (int i = 0; i < count; i++) a[i] = i;
    b[1] = 0;
}

static void number_and_halve(int *a, int &count)
{
    for (int i = 0; i < count; i++) a[i] = i;
    count *= 2;
}

static void number_in_rounds(int *a, int count, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++) a[i] = i;
    }
}

static void number_short(short *a, int count)
{
    for (int i = 0; i < count; i++) a[i] = i;
}

static void number_and_keep(int *a, int count)
{
    for (int i = 0; i < count; i++) a[i] = i;
    kept = a;
}

static void number_copy(std::vector<int> v)
{
    std::iota(v.begin(), v.end(), 0);
}

static void number_and_shrink(std::vector<int> &v)
{
    v.resize(v.size() / 2);
    std::iota(v.begin(), v.end(), 0);
    v.resize(2 * v.size());
}

static void number_less(std::vector<int> &v)
{
    for (size_t i = 0; i < v.size() - 1; i++) v[i] = i;
}

static void number_itself(int *a, int count)
{
    if (count > 100) number_itself(a, count / 2);
    for (int i = 0; i < count / 2; i++) a[i] = i;
}

static void clear_second(int *a)
{
    a[1] = 0;
}

static void clear_by_callee(int *a)
{
    clear_second(a);
}

static void number_async(int *to, int count, cudaStream_t stream)
{
    static int h[1024];
    for (int i = 0; i < 1024; i++) h[i] = i;
    cudaMemcpyAsync(to, h, count * sizeof(int), cudaMemcpyHostToDevice, stream);
}

// Sets the second element.
//~ race-free
__global__ void passed_clear_kernel_ok(int *a)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) a[1] = 0;
}

static void number_then_launch(int *a, int count)
{
    for (int i = 0; i < count; i++) a[i] = i;
    passed_clear_kernel_ok<<<1, 32>>>(a);
}

struct Filler {
    virtual void number(int *a, int count)
    {
        for (int i = 0; i < count; i++) a[i] = i;
    }
};

// A function that another one calls.
//~ race-free
__global__ void passed_twice_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_twice_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_all(d, n);
    passed_twice_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// Numbered from the end.
//~ race-free
__global__ void passed_from_end_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_from_end_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_from_end(n, d);
    passed_from_end_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// A vector, as many as it has.
//~ race-free
__global__ void passed_vector_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_vector_ok(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    number_vector(h);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    passed_vector_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// A vector, by an algorithm.
//~ race-free
__global__ void passed_vector_iota_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_vector_iota_ok(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    iota_vector(h);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    passed_vector_iota_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// By an algorithm on the device.
//~ race-free
__global__ void passed_on_device_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_on_device_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    number_on_device(d, n);
    passed_on_device_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// Through an array that the function has.
//~ race-free
__global__ void passed_through_copy_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_through_copy_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    number_through_copy(d, n);
    passed_through_copy_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// Another function only reads it.
//~ race-free
__global__ void passed_then_read_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_then_read_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n);
    int sum = sum_of(d, n);
    if (sum < 0) return;
    passed_then_read_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// By another name in the function.
//~ race-free
__global__ void passed_by_name_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_by_name_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_by_name(d, n);
    passed_by_name_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// More are numbered than are used.
//~ race-free
__global__ void passed_more_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_more_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, (n + 1) * sizeof(int));
    int more = n;
    number(d, more);
    passed_more_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// The function launches that gets what is filled.
//~ race-free
__global__ void passed_launched_there_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

static void launch_there(float *out, const float *in, int *to, int n)
{
    passed_launched_there_ok<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_there_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    launch_there(out, in, d, n);
}

// Two functions further.
//~ race-free
__global__ void passed_launched_twice_below_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

static void launch_below(float *out, const float *in, int *to, int n)
{
    passed_launched_twice_below_ok<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

static void pass_on(float *out, const float *in, int *to, int n)
{
    launch_below(out, in, to, n);
}

void run_passed_launched_twice_below_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n);
    pass_on(out, in, d, n);
}

// Launched in each round of a loop.
//~ race-free
__global__ void passed_launched_in_rounds_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

static void launch_round(float *out, const float *in, int *to, int n)
{
    passed_launched_in_rounds_ok<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_in_rounds_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n);
    for (int round = 0; round < 3; round++) launch_round(out, in, d, n);
}

// A function copies what is filled.
//~ race-free
__global__ void passed_uploaded_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_uploaded_ok(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    std::iota(h.begin(), h.end(), 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    upload(d, h.data(), n);
    passed_uploaded_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// Two arrays at once, of which the first is passed.
//~ race-free
__global__ void passed_both_ok(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

void run_passed_both_ok(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *e;
    cudaMallocManaged(&e, n * sizeof(int));
    number_both(d, e, n);
    passed_both_ok<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [then another] The function sets an element again.
//~ race
__global__ void passed_then_cleared_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_then_cleared_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_then_clear(d, n);
    passed_then_cleared_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [count] The function counts one less.
//~ race
__global__ void passed_less_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_less_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_one_more(d, n);
    passed_less_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other name] The function sets an element by another name.
//~ race
__global__ void passed_then_name_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_then_name_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_then_name(d, n);
    passed_then_name_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other array] The function numbers memory of its own.
//~ race
__global__ void passed_local_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_local_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_local(d, n);
    passed_local_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [branch] The function numbers where it is told so.
//~ race
__global__ void passed_if_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_if_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_if(d, n, n % 2 == 1);
    passed_if_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [passed twice] The function sets an element of what it gets for the second time.
//~ race
__global__ void passed_overlap_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_overlap_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_and_overlap(d, d, n);
    passed_overlap_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [reference] The function changes the count.
//~ race
__global__ void passed_doubled_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_doubled_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, 2 * n * sizeof(int));
    number_and_halve(d, n);
    passed_doubled_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [loop] The function numbers in rounds of which there may be none.
//~ race
__global__ void passed_rounds_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_rounds_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_in_rounds(d, n, n - 5);
    passed_rounds_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [type] The function numbers elements that are half as wide.
//~ race
__global__ void passed_shorts_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_shorts_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_short((short *)d, n);
    passed_shorts_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [kept] The function keeps the address.
//~ race
__global__ void passed_kept_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_kept_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_and_keep(d, n);
    kept[1] = 0;
    passed_kept_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [copy] The function numbers a copy.
//~ race
__global__ void passed_by_value_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_by_value_bad(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    number_copy(h);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    passed_by_value_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other size] The function numbers half of it.
//~ race
__global__ void passed_shrunk_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_shrunk_bad(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    number_and_shrink(h);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    passed_shrunk_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [count] The function leaves the last element.
//~ race
__global__ void passed_vector_less_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_vector_less_bad(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    number_less(h);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    passed_vector_less_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [itself] The function calls itself, and numbers half.
//~ race
__global__ void passed_itself_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_itself_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_itself(d, n);
    passed_itself_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [then another] Another function sets an element, two calls further.
//~ race
__global__ void passed_then_callee_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_then_callee_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n);
    clear_by_callee(d);
    passed_then_callee_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [loop] Called in a loop that may not run.
//~ race
__global__ void passed_in_loop_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_in_loop_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int round = 0; round < n - 5; round++) number(d, n);
    passed_in_loop_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [condition] Called where a condition says so.
//~ race
__global__ void passed_in_condition_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_in_condition_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    n > 100 && (number(d, n), true);
    passed_in_condition_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [stream] The function copies in a stream that is not waited for.
//~ race
__global__ void passed_async_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_async_bad(float *out, const float *in, int n, cudaStream_t stream)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    number_async(d, n, stream);
    passed_async_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [kernel] The function launches a kernel that sets an element.
//~ race
__global__ void passed_then_launch_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_then_launch_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_then_launch(d, n);
    passed_then_launch_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [function pointer] A pointer to functions, which leads to another one.
//~ race
__global__ void passed_pointer_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_pointer_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    void (*fill)(int *, int) = number_then_clear;
    number(d, n);
    fill(d, n);
    passed_pointer_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [virtual] A class may override the function.
//~ race
__global__ void passed_virtual_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

Filler &some_filler();

void run_passed_virtual_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    Filler &filler = some_filler();
    filler.number(d, n);
    passed_virtual_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [closure] A closure of the same name.
//~ race
__global__ void passed_closure_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_closure_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    auto number = [](int *a, int count) { a[0] = 1; a[1] = 1; };
    number(d, n);
    passed_closure_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [count] The count is a larger one at the launch.
//~ race
__global__ void passed_count_later_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_count_later_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, 2 * n * sizeof(int));
    number(d, n);
    n *= 2;
    passed_count_later_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [narrow] The count is cut off before.
//~ race
__global__ void passed_narrow_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_narrow_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, (short)n);
    passed_narrow_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other array] Another array is numbered.
//~ race
__global__ void passed_other_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_other_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *e;
    cudaMallocManaged(&e, n * sizeof(int));
    number(e, n);
    passed_other_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [passed twice] Two names of one array.
//~ race
__global__ void passed_both_same_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_both_same_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number_both(d, d, n);
    passed_both_same_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [passed twice] One array under two names.
//~ race
__global__ void passed_both_names_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_both_names_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *p = d;
    number_both(d, p, n);
    passed_both_names_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other array] The array is the second one.
//~ race
__global__ void passed_both_second_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_both_second_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *e;
    cudaMallocManaged(&e, n * sizeof(int));
    number_both(e, d, n);
    passed_both_second_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other array] Another array is copied by the function.
//~ race
__global__ void passed_upload_other_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_upload_other_bad(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    std::vector<int> g(n);
    std::iota(h.begin(), h.end(), 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    upload(d, g.data(), n);
    passed_upload_other_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [then another] The function copies again, from another array.
//~ race
__global__ void passed_upload_over_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_upload_over_bad(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    std::vector<int> g(n);
    std::iota(h.begin(), h.end(), 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    upload(d, h.data(), n);
    upload(d, g.data(), 1);
    passed_upload_over_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [count] The count is a negative number at first.
//~ race
__global__ void passed_upload_negative_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_upload_negative_bad(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    int less = -n;
    std::iota(h.begin(), h.begin() + 1, 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    upload(d, h.data(), -less);
    passed_upload_negative_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [part] One less is copied by the function.
//~ race
__global__ void passed_upload_part_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void run_passed_upload_part_bad(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    std::iota(h.begin(), h.end(), 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    upload(d, h.data(), n - 1);
    passed_upload_part_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [then another] The function that launches sets an element before.
//~ race
__global__ void passed_launched_there_cleared_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

static void launch_cleared(float *out, const float *in, int *to, int n)
{
    to[1] = 0;
    passed_launched_there_cleared_bad<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_there_cleared_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n);
    launch_cleared(out, in, d, n);
}

// [passed twice] The function that launches sets an element of another parameter, which is the same array.
//~ race
__global__ void passed_launched_there_other_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

static void launch_other(float *out, const float *in, int *to, int n, int *other)
{
    other[1] = 0;
    passed_launched_there_other_bad<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_there_other_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n);
    launch_other(out, in, d, n, d);
}

// [count] More are used than were filled.
//~ race
__global__ void passed_launched_there_part_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

static void launch_part(float *out, const float *in, int *to, int n)
{
    passed_launched_there_part_bad<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_there_part_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, 2 * n * sizeof(int));
    number(d, n);
    launch_part(out, in, d, 2 * n);
}

// [place] The second element is passed as the first, of an array that is filled up to there.
//~ race
__global__ void passed_launched_there_second_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

static void launch_second(float *out, const float *in, int *to, int n)
{
    passed_launched_there_second_bad<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_there_second_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, (n + 1) * sizeof(int));
    number(d, n);
    launch_second(out, in, d + 1, n);
}

// [second call] The function is called again with an array that is not filled.
//~ race
__global__ void passed_launched_there_once_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

static void launch_once(float *out, const float *in, int *to, int n)
{
    passed_launched_there_once_bad<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_there_once_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *e;
    cudaMallocManaged(&e, n * sizeof(int));
    number(d, n);
    launch_once(out, in, d, n);
    launch_once(out, in, e, n);
}

// [between] What the function launches first sets an element.
//~ race
__global__ void passed_launched_there_after_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

static void launch_after(float *out, const float *in, int *to, int n)
{
    passed_clear_kernel_ok<<<1, 32>>>(to);
    passed_launched_there_after_bad<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_there_after_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    number(d, n);
    launch_after(out, in, d, n);
}

// [global] The function that launches sets an element by an address that was kept.
//~ race
__global__ void passed_launched_there_kept_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

static void launch_kept(float *out, const float *in, int *to, int n)
{
    kept[1] = 0;
    passed_launched_there_kept_bad<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_there_kept_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    kept = d;
    number(d, n);
    launch_kept(out, in, d, n);
}

// [stream] A kernel in another stream may still write when the function fills.
//~ race
__global__ void passed_launched_there_under_way_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

static void launch_busy(float *out, const float *in, int *to, int n)
{
    for (int i = 0; i < n; i++) to[i] = i;
    passed_launched_there_under_way_bad<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_there_under_way_bad(float *out, const float *in, int n, cudaStream_t stream)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    passed_clear_kernel_ok<<<1, 32, 0, stream>>>(d);
    launch_busy(out, in, d, n);
}

// [pointer] By a pointer to functions with other arguments.
//~ race
__global__ void passed_launched_by_pointer_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

static void launch_pointed(float *out, const float *in, int *to, int n)
{
    passed_launched_by_pointer_bad<<<(n + 255) / 256, 256>>>(out, in, to, n);
}

void run_passed_launched_by_pointer_bad(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    int *e;
    cudaMallocManaged(&e, n * sizeof(int));
    number(d, n);
    auto run = launch_pointed;
    run(out, in, e, n);
    run(out, in, d, n);
}
