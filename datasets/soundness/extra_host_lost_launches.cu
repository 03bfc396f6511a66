// Extra: launches that are there, and launches that are not
//
// A kernel is checked for the launches that the program makes. Text that is not read may hide another one, which is potential at most;
// it takes nothing away from those that were found.

#include <cstddef>

// [launch] One thread writes; a text that is not read names the kernel, so that more threads may be launched there.
//~ fp_race-free
__global__ void lost_unread_ok(unsigned count, float *sum)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) sum[0] += 1.0f;
}

void lost_unread_run(float *sum)
{
    lost_unread_ok<<<1, 96>>>(1u, sum);
}

template <typename T> struct Described { static constexpr auto what = ^^lost_unread_ok; };

// [launch] The same kernel with two threads that write: told though the text is not read.
//~ race
__global__ void lost_unread_bad(unsigned count, float *sum)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) sum[0] += 1.0f; //~ here
}

void lost_unread_bad_run(float *sum)
{
    lost_unread_bad<<<1, 96>>>(2u, sum);
}

template <typename T> struct Labelled { static constexpr auto what = ^^lost_unread_bad; };

// [launch] Host code compares two pointers that are one: what is chosen is the other array.
//~ race-free
__global__ void lost_compared_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

// [launch] It chooses the same array.
//~ race
__global__ void lost_compared_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void lost_compared_run()
{
    int *one, *two;
    cudaMalloc(&one, 256);
    cudaMalloc(&two, 256);
    int *from = one;
    lost_compared_ok<<<1, 64>>>(from == one ? two : one, from);
    lost_compared_bad<<<1, 64>>>(from != one ? two : one, from);
}

// [launch] What a loop leaves in a flag chooses the array: the alarm is potential and names the flag.
//~ fp_race-free
__global__ void lost_flag_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

// [launch] An argument chooses, so that each array is passed in some run.
//~ race
__global__ void lost_argument_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

// [launch] Two arguments are chosen by conditions that exclude each other.
//~ race-free
__global__ void lost_excluded_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void lost_flag_run(int n)
{
    int *one, *two;
    cudaMalloc(&one, 256);
    cudaMalloc(&two, 256);
    int flag = 0;
    for (int i = 0; i < 6; i++) flag ^= 1;
    lost_flag_ok<<<1, 64>>>(flag ? two : one, two);
    lost_argument_bad<<<1, 64>>>(n > 9 ? two : one, two);
    lost_excluded_ok<<<1, 64>>>(n > 9 ? two : one, n <= 9 ? two : one);
}

// [launch] A variable of another kernel has its name.
//~ race-free
__global__ void lost_name_ok(int *o)
{
    __shared__ int s[32];
    s[threadIdx.x & 31] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x & 31];
}

//~ race-free
__global__ void lost_name_of_loop_ok(int *o)
{
    for (int lost_name_ok = 0; lost_name_ok < 3; lost_name_ok++) o[threadIdx.x] += lost_name_ok;
    if (o[threadIdx.x] > 0) {
        int lost_name_ok = 4;
        o[threadIdx.x] -= lost_name_ok;
    }
}

void lost_name_run(int *o)
{
    lost_name_ok<<<1, 32>>>(o);
    lost_name_of_loop_ok<<<1, 32>>>(o);
}

// [launch] Two arrays that one caller leaves out are not one array.
//~ race-free
template <bool WITH> __global__ void lost_null_ok(int *out, int *marks, const int *in, const int *offsets)
{
    if (WITH && threadIdx.x == 0) marks[blockIdx.x] = offsets[blockIdx.x ^ 1];
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
}

void lost_null_all(int *out, int *marks, const int *in, const int *offsets)
{
    if (offsets != nullptr) lost_null_ok<true><<<8, 64>>>(out, marks, in, offsets);
    else lost_null_ok<false><<<8, 64>>>(out, marks, in, offsets);
}

void lost_null_run(int *out, const int *in)
{
    lost_null_all(out, nullptr, in, nullptr);
}

// [launch] Host code does not come to this launch.
//~ race-free
template <bool EXACT> __global__ void lost_never_ok(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (EXACT || i < n) out[i % n] = in[i];
}

static void lost_never_pick(int n, const int *in, int *out)
{
    if ((n & (n - 1)) == 0) {
        if (n <= 512) lost_never_ok<true><<<1, n>>>(in, out, n);
    } else {
        lost_never_ok<false><<<2, n>>>(in, out, n);
    }
}

void lost_never_run()
{
    int *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    for (int n = 1; n <= 512; n *= 2) lost_never_pick(n, a, b);
}

// [launch] It comes to this one.
//~ race
__global__ void lost_reached_bad(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i % n] = in[i]; //~ here
}

static void lost_reached_pick(int n, const int *in, int *out)
{
    if ((n & (n - 1)) == 0) lost_reached_bad<<<2, n>>>(in, out, n);
}

void lost_reached_run()
{
    int *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    for (int n = 1; n <= 512; n *= 2) lost_reached_pick(n, a, b);
}

// [launch] A function of another file sets both sizes of a kernel that knows of one axis.
void lost_sizes(dim3 &blocks, dim3 &threads);

//~ race-free
__global__ void lost_axes_ok(unsigned *degree, const unsigned *taken, unsigned n)
{
    for (unsigned s = blockIdx.x * blockDim.x + threadIdx.x; s < n; s += blockDim.x * gridDim.x) degree[s] -= taken[s];
}

//~ race
__global__ void lost_axes_bad(unsigned *degree, const unsigned *taken, unsigned n)
{
    for (unsigned s = threadIdx.x; s < n; s += blockDim.x) degree[s] -= taken[s] + blockIdx.x; //~ here
}

void lost_axes_run(unsigned *degree, const unsigned *taken, unsigned n)
{
    dim3 blocks, threads;
    lost_sizes(blocks, threads);
    lost_axes_ok<<<blocks, threads>>>(degree, taken, n);
    lost_axes_bad<<<blocks, threads>>>(degree, taken, n);
}

// [launch] Two cases of a dispatch whose macros are not known stand side by side.
//~ race-free
template <typename T> __global__ void lost_cases_ok(const T *ids, int *sums, int n)
{
    if (blockIdx.x % 2) return;
    if (threadIdx.x < n) sums[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) sums[n] = sums[n - 1];
}

// [launch] Three blocks.
//~ race
template <typename T> __global__ void lost_cases_bad(const T *ids, int *sums, int n)
{
    if (blockIdx.x % 2) return;
    if (threadIdx.x < n) sums[threadIdx.x] = blockIdx.x; //~ here
    __syncthreads();
    if (threadIdx.x == 0) sums[n] = sums[n - 1]; //~ here
}

void lost_cases_run(const int *ids, int *sums, int n, int type)
{
    DISPATCH_BY(type, DISPATCH_CASE(Int, [&] {
        lost_cases_ok<scalar_t><<<2, 1024>>>(ids, sums, n);
        lost_cases_bad<scalar_t><<<3, 1024>>>(ids, sums, n);
    }) DISPATCH_CASE(Long, [&] {
        lost_cases_ok<scalar_t><<<2, 1024>>>(ids, sums, n);
        lost_cases_bad<scalar_t><<<3, 1024>>>(ids, sums, n);
    }));
}

// [launch] A member that is not read, of a class that this kernel does not use, says nothing of its axes.
struct Unread {
    const float *table;
    __device__ float operator()(float x) const
    {
        float s = 0.0f;
        UNROLL_ALL_OF_IT
        for (int i = 0; i < 4; ++i) s += table[i] * x;
        return s;
    }
};

//~ race-free
__global__ void lost_operator_ok(unsigned n, float *__restrict__ grid)
{
    unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) grid[i] *= 0.5f;
}

//~ race
__global__ void lost_operator_bad(unsigned n, float *__restrict__ grid)
{
    unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) grid[i / 2] *= 0.5f; //~ here
}

void lost_operator_run(float *grid, unsigned n)
{
    lost_elsewhere(lost_operator_ok, n, grid);
    lost_elsewhere(lost_operator_bad, n, grid);
}

// [alias] What two functions without a body give may be one array; the program says that they are not.
struct Pool { float *get(); };

//~ race-free
__global__ void lost_restrict_ok(float *__restrict__ sums, const float *__restrict__ rows)
{
    sums[threadIdx.x] = rows[threadIdx.x ^ 1];
}

void lost_restrict_run(Pool &a, Pool &b)
{
    lost_restrict_ok<<<1, 64>>>(a.get(), b.get());
}

// [alias] Parts of one allocation that offsets keep apart, and one offset too short.
//~ race-free
__global__ void lost_carved_ok(float *to, const float *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

//~ race
__global__ void lost_carved_bad(float *to, const float *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void lost_carved_run()
{
    char *all;
    cudaMalloc(&all, 1024);
    lost_carved_ok<<<1, 64>>>((float *)all, (float *)(all + 256));
    lost_carved_bad<<<1, 64>>>((float *)all, (float *)(all + 128));
}
