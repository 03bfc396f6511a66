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
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x % N];
}

// [open-number] Behind a number that is open as well, nothing is known.
//~ race
template <typename T, int N>
__global__ void open_number_bad(T *out)
{
    __shared__ int s[64];
    s[threadIdx.x % 64] = threadIdx.x; //~ here
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x % 64];
}

template <typename T, int M>
void launch(T *out)
{
    open_type_ok<T, 64><<<4, 64>>>(out);
    open_type_bad<T, 64><<<4, 64>>>(out);
    open_number_bad<T, M><<<4, M>>>(out);
}
