// Host templates that nobody instantiates here: numbers behind a type that is open are known all the same

//~ race-free
template <typename T, int N>
__global__ void open_type_ok(T *out)
{
    __shared__ int s[N];
    s[threadIdx.x % N] = threadIdx.x;
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x % N];
}

// [extent] Half of it.
//~ race
template <typename T, int N>
__global__ void open_type_bad(T *out)
{
    __shared__ int s[N];
    s[threadIdx.x % (N / 2)] = threadIdx.x; //~ here
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x % N]; //~ here
}

// [open-number] Behind a number that is open as well, nothing is known.
//~ race
template <typename T, int N>
__global__ void open_number_bad(T *out)
{
    __shared__ int s[64];
    s[threadIdx.x % 64] = threadIdx.x; //~ here
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x % 64]; //~ here
}

// [default] A type that is open is not that which the kernel has by default.
//~ race
template <int N, class A = char>
__global__ void open_default_bad(int *out)
{
    out[threadIdx.x / sizeof(A)] = threadIdx.x; //~ here
}

// [default] Nor is a number.
//~ race
template <int N = 1>
__global__ void open_default_number_bad(int *out)
{
    out[threadIdx.x / N] = threadIdx.x; //~ here
}

template <typename T, int M>
void launch(T *out)
{
    open_default_bad<32, T><<<1, 64>>>(nullptr);
    open_default_number_bad<M><<<1, 64>>>(nullptr);
    open_type_ok<T, 64><<<4, 64>>>(out);
    open_type_bad<T, 64><<<4, 64>>>(out);
    open_number_bad<T, M><<<4, M>>>(out);
}
