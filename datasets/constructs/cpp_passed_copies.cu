// Construct: objects with copy constructors that a kernel is passed, and elements of views that become numbers

namespace views {
// An element of a view: what it converts to depends on whether it is constant.
template <class T>
struct Element {
    __device__ operator T &() { return *place; }
    __device__ operator const T &() const { return *place; }
    __device__ Element operator=(T value)
    {
        *place = value;
        return *this;
    }
    T *place;
};

// Copies by its assignment, member by member.
template <class T, int N>
struct View {
    __host__ __device__ View(T *at, int rows, int columns) : first(at)
    {
        size[0] = rows;
        size[1] = columns;
    }
    __host__ __device__ View(View &other) { this->operator=(other); }
    __host__ __device__ View &operator=(View &other)
    {
        first = other.first;
        for (int i = 0; i < N; ++i) {
            size[i] = other.size[i];
        }
        return *this;
    }
    __device__ Element<T> operator[](int i) { return Element<T>{first + i}; }
    T *first;
    int size[N];
};

// Its copy begins one element further on.
struct Sliding {
    __host__ __device__ Sliding(float *at) : first(at), step(1) {}
    __host__ __device__ Sliding(const Sliding &other) : first(other.first + 1), step(other.step) {}
    float *first;
    int step;
};
}

//~ race-free
__global__ void passed_copy_ok(views::View<float, 2> from, views::View<float, 2> to)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = from[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    to[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

// [missing barrier] The tile is read before it is filled.
//~ race
__global__ void passed_copy_bad(views::View<float, 2> from, views::View<float, 2> to)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = from[blockIdx.x * 64 + threadIdx.x]; //~ here
    to[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; //~ here
}

// [one array] Both views are of one allocation. A copy by a reference that is not constant may change what it copies: it is not followed.
//~ assumed_race
__global__ void passed_copy_same_bad(views::View<float, 2> from, views::View<float, 2> to)
{
    float value = from[blockIdx.x * 64 + 63 - threadIdx.x];
    to[blockIdx.x * 64 + threadIdx.x] = value;
}

// What the copy begins with is not what the argument begins with: that is not followed.
//~ fp_race-free
__global__ void passed_sliding_ok(views::Sliding a)
{
    a.first[blockIdx.x * 64 + threadIdx.x] = 1;
}

// [neighbour] The same with a race.
//~ race potential
__global__ void passed_sliding_bad(views::Sliding a)
{
    a.first[blockIdx.x * 64 + threadIdx.x] = a.first[blockIdx.x * 64 + threadIdx.x + a.step]; //~ here
}

void run()
{
    float *p, *q;
    cudaMalloc(&p, 1024);
    cudaMalloc(&q, 1024);
    views::View<float, 2> a(p, 4, 64), b(q, 4, 64), c(p, 4, 64);
    passed_copy_ok<<<4, 64>>>(a, b);
    passed_copy_bad<<<4, 64>>>(a, b);
    passed_copy_same_bad<<<4, 64>>>(a, c);
    views::Sliding s(p);
    passed_sliding_ok<<<4, 64>>>(s);
    passed_sliding_bad<<<4, 64>>>(s);
}

namespace views {
// Copies its extents one by one.
template <class T>
struct Rows {
    __host__ __device__ Rows(const Rows &other) : first(other.first)
    {
        for (int i = 0; i < 2; ++i) {
            extent[i] = other.extent[i];
            step[i] = other.step[i];
        }
    }
    __device__ T *row(int i) { return first + i * 64; }
    T *first;
    int extent[2], step[2];
};

// A copy begins each row where the one before does.
template <class T>
struct Flattened {
    __host__ __device__ Flattened(const Flattened &other) : first(other.first)
    {
        for (int i = 0; i < 2; ++i)
            step[i] = other.step[i] - other.step[i];
    }
    __device__ T *row(int i) { return first + i * step[0]; }
    T *first;
    int step[2];
};
}

//~ race-free
__global__ void copied_elements_ok(views::Rows<float> from, views::Rows<float> to)
{
    if (threadIdx.x < 64)
        to.row(blockIdx.x)[threadIdx.x] = from.row(blockIdx.x)[threadIdx.x];
}

// [flattened] All rows of the copy that the kernel gets are one.
//~ race potential
__global__ void flattened_elements_bad(const float *from, views::Flattened<float> to)
{
    if (threadIdx.x < 64)
        to.row(blockIdx.x)[threadIdx.x] = from[blockIdx.x * 64 + threadIdx.x]; //~ here
}

void run_rows(const float *data, views::Rows<float> &from, views::Rows<float> &to, views::Flattened<float> &flat)
{
    copied_elements_ok<<<4, 64>>>(from, to);
    flattened_elements_bad<<<4, 64>>>(data, flat);
}
