// `__launch_bounds__`: a launch with larger blocks fails

#define THREADS 32

//~ race-free
__global__ void __launch_bounds__(32) bounds_ok(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x % 32] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32];
}

// [extent] Twice as many.
//~ race
__global__ void __launch_bounds__(64) bounds_bad(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x % 32] = threadIdx.x; //~ here
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32]; //~ here
}

// A macro, and blocks that a multiprocessor holds.
//~ race-free
__global__ void __launch_bounds__(THREADS, 4) bounds_macro_ok(int *out)
{
    __shared__ int s[THREADS];
    s[threadIdx.x % THREADS] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % THREADS];
}

// The number of threads is that of all axes together.
//~ race-free
__global__ void __launch_bounds__(32) bounds_axes_ok(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    s[t % 32] = t;
    out[blockIdx.x * 32 + t] = s[t % 32];
}

// [axis] A column of the block is no thread.
//~ race
__global__ void __launch_bounds__(32) bounds_axis_bad(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x % 32] = threadIdx.y; //~ here
    out[(blockIdx.x * 32 + threadIdx.y) * blockDim.x + threadIdx.x] = s[threadIdx.x % 32]; //~ here
}

// [not-min-blocks] The second number is none of threads.
//~ race
__global__ void __launch_bounds__(64, 32) bounds_second_bad(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x % 32] = threadIdx.x; //~ here
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32]; //~ here
}

// Of a template: what it is instantiated with.
//~ race-free
template <int N>
__global__ void __launch_bounds__(N) bounds_template_ok(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x % N] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % N];
}
template __global__ void bounds_template_ok<64>(int *);

// [extent] A part of it.
//~ race
template <int N>
__global__ void __launch_bounds__(N) bounds_template_bad(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x % (N / 2)] = threadIdx.x; //~ here
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % N]; //~ here
}
template __global__ void bounds_template_bad<64>(int *);

// [larger-launch] A launch that is there has the size that it has.
//~ race
__global__ void __launch_bounds__(32) bounds_launched_bad(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x % 32] = threadIdx.x; //~ here
    out[threadIdx.x] = s[threadIdx.x % 32]; //~ here
}

void launch(int *out)
{
    bounds_launched_bad<<<1, 64>>>(out);
}

template <int A, int B> constexpr int least_blocks() { return A > B ? 2 : 1; }

// The second bound is a call of a template, with a comma of its own.
//~ race-free
template <int Threads>
__global__ void __launch_bounds__(Threads, least_blocks<Threads, 3>()) bounds_call_ok(int *g)
{
    g[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// [index] Behind such bounds a kernel is one all the same.
//~ race
template <int Threads>
__global__ void __launch_bounds__(Threads, least_blocks<Threads, 3>()) bounds_call_bad(int *g)
{
    g[blockIdx.x * blockDim.x + threadIdx.x / 2] = threadIdx.x; //~ here
}

template __global__ void bounds_call_ok<64>(int *);
template __global__ void bounds_call_bad<64>(int *);
