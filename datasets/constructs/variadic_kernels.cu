// Construct: kernels with packs of arguments, folds in variable templates, the size of a warp by the properties of the device

struct Scale {
    __device__ void operator()(int i, float *x, float by) { x[i] *= by; }
};

struct Shift {
    __device__ void operator()(int i, float *x, const float *y, int by) { x[i / by] = y[i]; } //~ here
};

// The arguments of the launch are those of the function object.
//~ race-free
template <class F, class... A>
__global__ void called_ok(int n, F f, A... a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i, a...);
}

// [index] One element for two threads.
//~ race
template <class F, class... A>
__global__ void called_bad(int n, F f, A... a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i, a...);
}

template <class A, class B> struct Same { static constexpr bool value = false; };
template <class A> struct Same<A, A> { static constexpr bool value = true; };

template <class T, class... L> inline constexpr bool is_one_of = (Same<T, L>::value || ...);

template <class T>
__device__ T added(T v)
{
    if constexpr (is_one_of<T, float, int>) {
        for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
        return v;
    } else {
        return v;
    }
}

// The condition is a constant: all lanes exchange.
//~ race-free
__global__ void folded_ok(const float *in, float *out)
{
    float v = added(in[threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}

// [index] The type is in no list, so that each thread keeps a value of its own.
//~ race
__global__ void folded_bad(const double *in, double *out)
{
    double v = added(in[threadIdx.x]);
    out[is_one_of<double, float, int> ? threadIdx.x : 0] = v; //~ here
}

// A block of one warp.
//~ race-free
__global__ void reversed_ok(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[31 - (threadIdx.x & 31)];
}

// [missing barrier] A block of two.
//~ race
__global__ void reversed_bad(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x]; //~ here
    __syncwarp();
    a[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

void run(float *x, float *y, double *d, int *a, int n)
{
    called_ok<<<(n + 63) / 64, 64>>>(n, Scale(), x, 2.0f);
    called_bad<<<(n + 63) / 64, 64>>>(n, Shift(), x, y, 2);
    folded_ok<<<4, 32>>>(x, y);
    folded_bad<<<1, 32>>>(d, d + 64);
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    reversed_ok<<<1, p.warpSize>>>(a);
    reversed_bad<<<1, 2 * p.warpSize>>>(a);
}
