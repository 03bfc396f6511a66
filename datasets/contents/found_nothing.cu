// Contents: host code whose fills say nothing of the array that a launch reads

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/fill.h>

// [part copied] A second copy goes into the middle of what the first one filled.
//~ race
__global__ void nothing_second_copy_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_second_copy(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d + 1, h, sizeof(int), cudaMemcpyHostToDevice);
    nothing_second_copy_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [part copied] The same on the host, by a function of C.
//~ race
__global__ void nothing_moved_back_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_moved_back(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    memcpy(h + 1, h, sizeof(int));
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_moved_back_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [size of a pointer] The size is that of the pointer: two elements are copied.
//~ race
__global__ void nothing_pointer_size_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_pointer_size(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    nothing_pointer_size_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [unsigned literal] The product is unsigned, and wraps.
//~ race
__global__ void nothing_unsigned_factor_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_unsigned_factor(float *out, const float *in, int n)
{
    unsigned *h = (unsigned *)malloc(n * sizeof(unsigned));
    for (int i = 0; i < n; i++) h[i] = i * 0x40000000u;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_unsigned_factor_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [wide literal] The product has 64 bits, of which the element keeps the lower half.
//~ race
__global__ void nothing_long_factor_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_long_factor(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i * 0x100000000LL;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_long_factor_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [narrow constant] What the constant is declared as has no room for its value: the step is 0.
//~ race
__global__ void nothing_narrow_step_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_narrow_step(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    const unsigned char step = 256;
    for (int i = 0; i < n; i++) h[i] = i * step;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_narrow_step_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [narrow count] The count is cut off by a cast.
//~ race
__global__ void nothing_count_cast_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_count_cast(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < (unsigned char)n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_count_cast_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [narrow start] The numbers are counted in the type of the start.
//~ race
__global__ void nothing_short_start_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_short_start(float *out, const float *in, int n)
{
    std::vector<int> h(n);
    unsigned short first = 0;
    std::iota(h.begin(), h.end(), first);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_short_start_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [narrow table] The first element of the table is cut off, and is the second one.
//~ race
__global__ void nothing_narrow_table_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_narrow_table(float *out, const float *in)
{
    int h[4] = {(unsigned char)256, 0, 1, 2};
    int *d;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    nothing_narrow_table_bad<<<1, 4>>>(out, in, d, 4);
}

// [narrow size] The number of bytes does not fit into the variable.
//~ race
__global__ void nothing_short_bytes_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_short_bytes(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    short bytes = n * sizeof(int);
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    nothing_short_bytes_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [global pointer] A global variable is another name of the array.
static int *nothing_place;

//~ race
__global__ void nothing_global_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_global(float *out, const float *in, int n)
{
    nothing_place = (int *)malloc(n * sizeof(int));
    int *h = nothing_place;
    for (int i = 0; i < n; i++) h[i] = i;
    nothing_place[1] = 0;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_global_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [parameters] The caller passes one array as two.
//~ race
__global__ void nothing_both_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_both(float *out, const float *in, int *d, int *h, int *other, int n)
{
    for (int i = 0; i < n; i++) h[i] = i;
    for (int i = 0; i < n; i++) other[i] = 0;
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_both_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [function] A function without arguments changes the array that the caller passes.
static int *nothing_passed;

void nothing_smash() { nothing_passed[1] = 0; }

//~ race
__global__ void nothing_function_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_function(float *out, const float *in, int *d, int *h, int n)
{
    for (int i = 0; i < n; i++) h[i] = i;
    nothing_smash();
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_function_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [constant reference] A constant reference to a pointer is none to constants.
template <class T> void nothing_first(const T &p) { p[1] = 0; }

//~ race
__global__ void nothing_by_reference_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_by_reference(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    nothing_first(h);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_by_reference_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [constant taken away] The function casts away that what it gets is constant.
void nothing_reset(const int *p) { ((int *)p)[1] = 0; }

//~ race
__global__ void nothing_cast_away_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_cast_away(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    nothing_reset(h);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_cast_away_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [vector] The pointer is into a vector, which is filled again.
//~ race
__global__ void nothing_vector_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_vector(float *out, const float *in, int n)
{
    std::vector<int> v(n);
    int *h = v.data();
    for (int i = 0; i < n; i++) h[i] = i;
    std::fill(v.begin(), v.end(), 7);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_vector_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [reference between] A kernel sets elements by a reference that is made with parentheses.
//~ race-free
__global__ void nothing_by_braces_ok(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int &x(a[i]);
        x = 0;
    }
}

//~ race
__global__ void nothing_by_braces_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_by_braces(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    nothing_by_braces_ok<<<(n + 255) / 256, 256>>>(d, n);
    nothing_by_braces_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [choice between] A kernel assigns to one of two elements, of which a condition chooses one.
//~ race-free
__global__ void nothing_choice_ok(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = 0;
    if (i < n) (n > 3 ? a[i] : own) = 0;
}

//~ race
__global__ void nothing_choice_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_choice(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    nothing_choice_ok<<<(n + 255) / 256, 256>>>(d, n);
    nothing_choice_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [constant between] A kernel casts away that its elements are constant.
//~ race-free
__global__ void nothing_const_kernel_ok(const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *(int *)&a[i] = 0;
}

//~ race
__global__ void nothing_const_kernel_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_const_kernel(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    nothing_const_kernel_ok<<<(n + 255) / 256, 256>>>(d, n);
    nothing_const_kernel_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [step] The kernel that fills it steps over every second element.
//~ race-free
__global__ void nothing_steps_ok(int *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        a[i] = i;
        i++;
    }
}

//~ race
__global__ void nothing_steps_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_steps(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    nothing_steps_ok<<<8, 128>>>(d, n);
    nothing_steps_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [narrow bound] The kernel gets the number of elements cut off.
//~ race-free
__global__ void nothing_narrow_bound_ok(int *a, unsigned char n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}

//~ race
__global__ void nothing_narrow_bound_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_narrow_bound(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    nothing_narrow_bound_ok<<<(n + 255) / 256, 256>>>(d, n);
    nothing_narrow_bound_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [narrow grid] The number of blocks is cut off.
//~ race-free
__global__ void nothing_narrow_grid_ok(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}

//~ race
__global__ void nothing_narrow_grid_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_narrow_grid(float *out, const float *in, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    unsigned char blocks = (n + 255) / 256;
    nothing_narrow_grid_ok<<<blocks, 256>>>(d, n);
    nothing_narrow_grid_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [own function] A closure has the name of a function of the library.
//~ race
__global__ void nothing_own_iota_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_own_iota(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    auto iota = [](int *from, int *to, int v) {
        while (from != to) *from++ = v;
    };
    iota(h, h + n, 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_own_iota_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [other library] A function of a library that is not known has a name that is.
namespace numbering {
void iota(int *from, int *to, int first);
}

//~ race
__global__ void nothing_other_iota_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_other_iota(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    numbering::iota(h, h + n, 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_other_iota_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [hidden constant] A parameter of the template hides the constant.
const int nothing_count = 1 << 20;

//~ race
__global__ void nothing_template_count_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

template <int nothing_count> void nothing_template_count(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < nothing_count; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_template_count_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

template void nothing_template_count<16>(float *, const float *, int);

// [qualified] A function of the program has the name of one of the library that is called with its namespace.
void fill(const int *, const int *, int);

//~ race
__global__ void nothing_qualified_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_qualified(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    std::fill(h, h + n, 0);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_qualified_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [value by reference] A function that is not known may take the element by reference.
namespace numbers {
void abs(int &x);
}

//~ race
__global__ void nothing_unknown_abs_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_unknown_abs(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    numbers::abs(h[1]);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_unknown_abs_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [view] The elements are filled as numbers of 64 bits, and read as twice as many of 32.
//~ race
__global__ void nothing_view_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_view(float *out, const float *in, int n)
{
    long long *d;
    cudaMallocManaged(&d, n * sizeof(long long));
    for (int i = 0; i < n; i++) d[i] = i;
    nothing_view_bad<<<(n + 255) / 256, 256>>>(out, in, (int *)d, n);
}

// [stream] A kernel in another stream may write after the copy.
//~ race-free
__global__ void nothing_clear_ok(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 0;
}

//~ race
__global__ void nothing_other_stream_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_other_stream(float *out, const float *in, int n, cudaStream_t one, cudaStream_t two)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    nothing_clear_ok<<<(n + 255) / 256, 256, 0, one>>>(d, n);
    cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, two);
    nothing_other_stream_bad<<<(n + 255) / 256, 256, 0, two>>>(out, in, d, n);
}

// [managed] A kernel may still write while the host fills the array.
//~ race-free
__global__ void nothing_not_waited_ok(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 0;
}

//~ race
__global__ void nothing_not_waited_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_not_waited(float *out, const float *in, int n)
{
    int *d;
    cudaMallocManaged(&d, n * sizeof(int));
    nothing_not_waited_ok<<<(n + 255) / 256, 256>>>(d, n);
    for (int i = 0; i < n; i++) d[i] = i;
    cudaDeviceSynchronize();
    nothing_not_waited_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [into host memory] A copy into the array of the host may come behind the loop.
//~ race
__global__ void nothing_into_host_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_into_host(float *out, const float *in, const int *from, int n, cudaStream_t one)
{
    int *h;
    cudaMallocHost(&h, n * sizeof(int));
    cudaMemcpyAsync(h, from, n * sizeof(int), cudaMemcpyDeviceToHost, one);
    for (int i = 0; i < n; i++) h[i] = i;
    cudaStreamSynchronize(one);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_into_host_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [new stream] The stream has the name of another one that is gone.
//~ race
__global__ void nothing_new_stream_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_new_stream(float *out, const float *in, int n, cudaStream_t one)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, one);
    cudaStreamDestroy(one);
    cudaStreamCreate(&one);
    nothing_new_stream_bad<<<(n + 255) / 256, 256, 0, one>>>(out, in, d, n);
}

// [deduced reference] What `decltype(auto)` makes of an element in parentheses is a reference.
//~ race
__global__ void nothing_deduced_reference_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_deduced_reference(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    for (int i = 0; i < n; i++) {
        decltype(auto) one = (h[i]);
        one = 7;
    }
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_deduced_reference_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

struct Taker {
    int taken;
    __host__ __device__ int operator[](int &index)
    {
        index = 7;
        return taken;
    }
    void operator=(int &value) { value = 7; }
};

// [subscript of a class] It takes the element by reference.
//~ race
__global__ void nothing_by_subscript_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_by_subscript(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    Taker taker;
    for (int i = 0; i < n; i++) taker[h[i]];
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_by_subscript_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [assignment of a class] It does, too.
//~ race
__global__ void nothing_by_assignment_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_by_assignment(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    Taker taker;
    for (int i = 0; i < n; i++) taker = h[i];
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_by_assignment_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}

// [subscript in a kernel] A kernel between the two hands its elements to the subscript of a class.
//~ race-free
__global__ void nothing_subscript_of_kernel_ok(int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Taker taker;
    if (i < n) taker[to[i]];
}

//~ race
__global__ void nothing_subscript_of_kernel_bad(float *out, const float *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i]; //~ here
}

void nothing_subscript_of_kernel(float *out, const float *in, int n)
{
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    nothing_subscript_of_kernel_ok<<<(n + 255) / 256, 256>>>(d, n);
    nothing_subscript_of_kernel_bad<<<(n + 255) / 256, 256>>>(out, in, d, n);
}
