// Member templates that are specialised for the arguments of their class outside of it, and members of bases beside a partial
// specialisation that has its own.
template <int which>
struct Pick {
    template <typename T>
    static __device__ T of(T a, T b)
    {
        return a;
    }
};

template <>
template <typename T>
__device__ T Pick<1>::of(T a, T b)
{
    return b;
}

template <>
template <typename T>
__device__ T Pick<2>::of(T a, T b)
{
    return a / 2;
}

template <int which>
__device__ void put_picked(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[Pick<which>::of(i, n - 1 - i)] = i; //~ here
}

//~ race-free
__global__ void picked_first_ok(int *out, int n)
{
    put_picked<0>(out, n);
}

//~ race-free
__global__ void picked_second_ok(int *out, int n)
{
    put_picked<1>(out, n);
}

// [shared-place] Two threads have one half.
//~ race
__global__ void picked_half_bad(int *out, int n)
{
    __requires(n > 1);
    put_picked<2>(out, n);
}

template <typename Index, typename Value>
struct PlainSteps {
    static __device__ Index next(Index i)
    {
        return i;
    }
};

template <typename Index, typename Value>
struct Steps : PlainSteps<Index, Value> {
};

template <typename Index>
struct Steps<Index, short> : PlainSteps<Index, short> {
    static __device__ Index next(Index i)
    {
        return i / 2;
    }
};

template <typename Chosen>
__device__ void put_steps(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[Chosen::next(i)] = i; //~ here
}

//~ race-free
__global__ void steps_of_base_ok(int *out, int n)
{
    put_steps<Steps<int, float>>(out, n);
}

// [shared-place] The partial specialisation has steps of its own.
//~ race
__global__ void steps_of_shorts_bad(int *out, int n)
{
    __requires(n > 1);
    put_steps<Steps<int, short>>(out, n);
}

template <int which>
struct Slot {
    template <typename T>
    static __device__ int of(T)
    {
        return 0;
    }
    template <typename T>
    static __device__ int of(T *)
    {
        return 1;
    }
};

template <>
template <typename T>
__device__ int Slot<1>::of(T)
{
    return threadIdx.x;
}

// [shared-place] Only the other of two overloads is specialised: all threads write one place.
//~ race
__global__ void slot_of_pointer_bad(int *out, int *p)
{
    out[Slot<1>::of(p)] = threadIdx.x; //~ here
}

//~ race-free
__global__ void slot_of_number_ok(int *out, int n)
{
    if (blockIdx.x == 0)
        out[Slot<1>::of(n)] = threadIdx.x;
}
