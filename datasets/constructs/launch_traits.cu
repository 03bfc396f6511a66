// Constants of class templates in host code: they are those of the instance that is named

template <typename T> struct Traits { static const int threads = 32; };
template <> struct Traits<double> { static const int threads = 64; };
template <typename T, int N> struct Shape { static constexpr int block = N / sizeof(T); enum { half = block / 2 }; };

//~ race-free
__global__ void instance_ok(float *out)
{
    __shared__ float s[32];
    s[threadIdx.x % 32] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32];
}

// [special] The specialisation has more.
//~ race
__global__ void instance_special_bad(double *out)
{
    __shared__ double s[32];
    s[threadIdx.x % 32] = threadIdx.x; //~ here
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32]; //~ here
}

// By the parameter of a host template.
//~ race-free
__global__ void instance_parameter_ok(float *out)
{
    __shared__ float s[32];
    s[threadIdx.x % 32] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32];
}

// [special]
//~ race
__global__ void instance_parameter_bad(double *out)
{
    __shared__ double s[32];
    s[threadIdx.x % 32] = threadIdx.x; //~ here
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32]; //~ here
}

// A value that is computed in the class.
//~ race-free
__global__ void instance_computed_ok(double *out)
{
    __shared__ double s[32];
    s[threadIdx.x % 32] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32];
}

// [size] Twice as many of half the size.
//~ race
__global__ void instance_computed_bad(float *out)
{
    __shared__ float s[32];
    s[threadIdx.x % 32] = threadIdx.x; //~ here
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32]; //~ here
}

// An enumerator, by a name for the class.
//~ race-free
__global__ void instance_named_ok(float *out)
{
    __shared__ float s[32];
    s[threadIdx.x % 32] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32];
}

template <typename T> void launch_parameter_ok(T *out) { instance_parameter_ok<<<4, Traits<T>::threads>>>(out); }
template <typename T> void launch_parameter_bad(T *out) { instance_parameter_bad<<<4, Traits<T>::threads>>>(out); }

void launch(float *f, double *d)
{
    instance_ok<<<4, Traits<float>::threads>>>(f);
    instance_special_bad<<<4, Traits<double>::threads>>>(d);
    launch_parameter_ok(f);
    launch_parameter_bad(d);
    instance_computed_ok<<<4, Shape<double, 256>::block>>>(d);
    instance_computed_bad<<<4, Shape<float, 256>::block>>>(f);
    using Used = Shape<float, 256>;
    instance_named_ok<<<4, Used::half>>>(f);
}
