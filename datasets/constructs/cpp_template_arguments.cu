// Construct: class templates as template arguments, specialisations of templates that are only declared, alignment by type

template <typename T>
struct Sum {
    __device__ T operator()(T a, T b) const { return a + b; }
};

template <typename T, template <typename> class Op>
__device__ T folded(T a, T b)
{
    Op<T> op;
    return op(a, b);
}

//~ race-free
template <typename T, template <typename> class Op>
__global__ void template_template_ok(T *g)
{
    int t = threadIdx.x;
    g[folded<T, Op>(t, 1)] = 1;
}

// [index] The operation gives two threads one element.
template <typename T>
struct Half {
    __device__ T operator()(T a, T b) const { return a / (b + 1); }
};

//~ race
template <typename T, template <typename> class Op>
__global__ void template_template_bad(T *g)
{
    int t = threadIdx.x;
    g[folded<T, Op>(t, 1)] = t; //~ here
}

// Only the specialisations are defined; the one for four bytes is meant.
template <typename T, unsigned long size>
struct Stride;

template <typename T>
struct Stride<T, 4> {
    __device__ int operator()(int t) { return t; }
};

template <typename T>
struct Stride<T, 8> {
    __device__ int operator()(int t) { return t / 2; }
};

//~ race-free
__global__ void template_declared_ok(int *g)
{
    g[Stride<int, sizeof(int)>()(threadIdx.x)] = 1;
}

// [index] The specialisation for eight bytes shares elements.
//~ race
__global__ void template_declared_bad(int *g)
{
    int t = threadIdx.x;
    g[Stride<double, sizeof(double)>()(t)] = t; //~ here
}

// Elements that are read and written as one wide word, in a class aligned as that word.
template <typename T, int N>
struct Word;

template <>
struct Word<int, 4> {
    typedef int4 Type;
};

template <typename T, int N>
struct Pack {
    typedef typename Word<T, N>::Type Wide;
    static const int Count = N;
    struct alignas(Wide) {
        T data[Count];
    } val;
    __device__ auto *all() { return reinterpret_cast<Wide *>(val.data); }
    __device__ void load(const T *p, int i) { *all() = *reinterpret_cast<const Wide *>(&p[i]); }
    __device__ void store(T *p, int i)
    {
        Wide *to = reinterpret_cast<Wide *>(&p[i]);
        *to = *all(); //~ here
    }
};

//~ race-free
template <typename T, int N>
__global__ void template_alignas_ok(T *out, const T *in)
{
    int i = threadIdx.x * Pack<T, N>::Count;
    Pack<T, N> pack;
    pack.load(in, i);
    T first = pack.val.data[0];
    pack.val.data[0] = pack.val.data[N - 1];
    pack.val.data[N - 1] = first;
    pack.store(out, i);
}

// [extent] The words overlap by one element.
//~ race
template <typename T, int N>
__global__ void template_alignas_bad(T *out, const T *in)
{
    int i = threadIdx.x * (Pack<T, N>::Count - 1);
    Pack<T, N> pack;
    pack.load(in, threadIdx.x * N);
    pack.store(out, i);
}

void template_arguments_host(int *a, int *b)
{
    template_template_ok<int, Sum><<<1, 64>>>(a);
    template_template_bad<int, Half><<<1, 64>>>(a);
    template_declared_ok<<<1, 64>>>(a);
    template_declared_bad<<<1, 64>>>(a);
    template_alignas_ok<int, 4><<<1, 64>>>(a, b);
    template_alignas_bad<int, 4><<<1, 64>>>(a, b);
}

// Whether the pointer is to something constant tells which function is meant.
struct Reader {
    int value;
    __device__ void load(const int *p, int i) { value = p[i]; }
    __device__ void load(int *p, int i)
    {
        value = p[i]; //~ here
        p[i / 2] = value; //~ here
    }
};

//~ race-free
__global__ void overload_const_ok(int *out, const int *in)
{
    Reader r;
    r.load(in, threadIdx.x);
    out[threadIdx.x] = r.value;
}

// [index] The function for what can be written writes elements of two threads.
//~ race
__global__ void overload_const_bad(int *out, int *in)
{
    Reader r;
    r.load(in, threadIdx.x);
    out[threadIdx.x] = r.value;
}
