//--blockDim=64 --gridDim=1
// Functions that call other instances of themselves, for numbers that are known and for numbers that nothing tells

template <int N> __device__ int folded(const int *values)
{
    if constexpr (N == 1) return values[0];
    else if constexpr (N % 2 == 1) return values[0] + folded<N - 1>(values + 1);
    else return folded<N / 2>(values) + folded<N / 2>(values + N / 2);
}

// Of eleven: each instance is known, and so is the last.
//~ race-free
__global__ void folded_known_ok(const int *in, int *out)
{
    out[threadIdx.x] = folded<11>(in + threadIdx.x * 11);
}

// [index] Two threads fold into one place.
//~ race
__global__ void folded_known_bad(const int *in, int *out)
{
    out[threadIdx.x / 2] = folded<11>(in + threadIdx.x * 11); //~ here
}

// A number of the class around does not change from one instance to the next, and the one that counts down is known.
template <int Width> struct Row
{
    template <int N> static __device__ int sum(const int *values)
    {
        if constexpr (N == 0) return 0;
        else return values[N * Width] + sum<N - 1>(values);
    }
};

//~ race-free
template <int Width> __global__ void folded_beside_ok(const int *in, int *out)
{
    out[threadIdx.x] = Row<Width>::template sum<3>(in + threadIdx.x);
}

// Nothing tells of how many: whether there is a last instance is not known.
//~ fp_race-free
template <class Settings> __global__ void folded_unknown_ok(const int *in, int *out)
{
    out[threadIdx.x] = folded<Settings::items>(in + threadIdx.x * Settings::items);
}

// [index] The same, and two threads fold into one place.
//~ race
template <class Settings> __global__ void folded_unknown_bad(const int *in, int *out)
{
    out[threadIdx.x / 2] = folded<Settings::items>(in + threadIdx.x * Settings::items); //~ here
}
