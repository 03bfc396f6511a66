// Closures that host code passes to kernels
//
// A kernel gets a copy of what the lambda captured when it was made. Where the capture, or a type in the body, is not followed, the
// kernel is undecided.

// [closure] All threads store to one element.
//~ race
template <class F> __global__ void closure_copies_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_copies_bad(int *a)
{
    closure_copies_bad<<<1, 64>>>([=] __device__ (int i) {
        a[i / 2] = i; //~ here
    });
}

// [closure] Each has its own.
//~ race-free
template <class F> __global__ void closure_copies_ok(F f)
{
    f(threadIdx.x);
}

void run_closure_copies_ok(int *a)
{
    closure_copies_ok<<<1, 64>>>([=] __device__ (int i) { a[i] = i; });
}

// [closure] The stride is what it was when the lambda was made: none.
//~ race
template <class F> __global__ void closure_early_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_early_bad(int *a)
{
    int stride = 0;
    auto store = [=] __device__ (int i) {
        a[i * stride] = i; //~ here
    };
    stride = 1;
    closure_early_bad<<<1, 64>>>(store);
}

// [closure] It is none later.
//~ race-free
template <class F> __global__ void closure_early_ok(F f)
{
    f(threadIdx.x);
}

void run_closure_early_ok(int *a)
{
    int stride = 1;
    auto store = [=] __device__ (int i) { a[i * stride] = i; };
    stride = 0;
    closure_early_ok<<<1, 64>>>(store);
}

// [closure] A capture with an initialiser, whose name is that of another variable.
//~ race
template <class F> __global__ void closure_init_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_init_bad(int *a)
{
    int stride = 1;
    closure_init_bad<<<1, 64>>>([a, stride = stride - 1] __device__ (int i) {
        a[i * stride] = i; //~ here
    });
}

// [closure] The same with what the variable holds.
//~ race-free
template <class F> __global__ void closure_init_ok(F f)
{
    f(threadIdx.x);
}

void run_closure_init_ok(int *a)
{
    int stride = 2;
    closure_init_ok<<<1, 64>>>([a, stride = stride - 1] __device__ (int i) { a[i * stride] = i; });
}

// [closure] The inner variable of the name is captured.
//~ race
template <class F> __global__ void closure_hidden_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_hidden_bad(int *a)
{
    int stride = 1;
    {
        int stride = 0;
        closure_hidden_bad<<<1, 64>>>([=] __device__ (int i) {
            a[i * stride] = i; //~ here
        });
    }
}

// [closure] A parameter of the lambda hides a variable.
//~ race-free
template <class F> __global__ void closure_hidden_ok(F f)
{
    f(threadIdx.x);
}

void run_closure_hidden_ok(int *a)
{
    int i = 0;
    closure_hidden_ok<<<1, 64>>>([=] __device__ (int i) { a[i] = 1 + i; });
}

// [closure] The second launch has another stride.
//~ race
template <class F> __global__ void closure_twice_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_twice_bad(int *a)
{
    for (int stride = 1; stride >= 0; stride--) {
        closure_twice_bad<<<1, 64>>>([=] __device__ (int i) {
            a[i * stride] = i; //~ here
        });
    }
}

// [closure] Both launches have a stride.
//~ race-free
template <class F> __global__ void closure_twice_ok(F f)
{
    f(threadIdx.x);
}

void run_closure_twice_ok(int *a)
{
    auto store = [=] __device__ (int i) { a[i] = i; };
    auto spread = [=] __device__ (int i) { a[2 * i] = i; };
    closure_twice_ok<<<1, 64>>>(store);
    closure_twice_ok<<<1, 64>>>(spread);
}

// [closure] Two captured pointers are one allocation.
//~ race
template <class F> __global__ void closure_alias_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_alias_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 4 * n);
    cudaMalloc(&b, 4 * n);
    const int *from = n > 64 ? b : a;
    closure_alias_bad<<<1, 64>>>([=] __device__ (int i) {
        a[i] = from[i ^ 1]; //~ here
    });
}

// [closure] They are two.
//~ race-free
template <class F> __global__ void closure_alias_ok(F f)
{
    f(threadIdx.x);
}

void run_closure_alias_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 4 * n);
    cudaMalloc(&b, 4 * n);
    const int *from = b;
    closure_alias_ok<<<1, 64>>>([=] __device__ (int i) { a[i] = from[i ^ 1]; });
}

struct ClosureArrays { int *to; const int *from; };

// [closure] One allocation in two members of what is captured.
//~ race
template <class F> __global__ void closure_members_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_members_bad(int *a)
{
    ClosureArrays arrays{a, a};
    closure_members_bad<<<1, 64>>>([arrays] __device__ (int i) {
        arrays.to[i] = arrays.from[i ^ 1]; //~ here
    });
}

// [closure] A launcher that takes any closure, and gives the type that it has by name.
//~ race
template <class F> __global__ void closure_launcher_bad(int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

template <class F> void launch_closure_bad(int n, F f)
{
    closure_launcher_bad<F><<<(n + 63) / 64, 64>>>(n, f);
}

void run_closure_launcher_bad(int *a, int n)
{
    launch_closure_bad(n, [=] __device__ (int i) {
        a[i] = a[i + 1]; //~ here
    });
}

// [closure] The same without the neighbour.
//~ race-free
template <class F> __global__ void closure_launcher_ok(int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

template <class F> void launch_closure_ok(int n, F &&f)
{
    closure_launcher_ok<<<(n + 63) / 64, 64>>>(n, f);
}

void run_closure_launcher_ok(int *a, int n)
{
    launch_closure_ok(n, [=] __device__ (int i) { a[i] += 1; });
}

// [closure] The type is named by the variable.
//~ race-free
template <class F> __global__ void closure_decltype_ok(F f)
{
    f(threadIdx.x);
}

void run_closure_decltype_ok(int *a)
{
    auto store = [=] __device__ (int i) { a[i] = i; };
    closure_decltype_ok<decltype(store)><<<1, 64>>>(store);
}

struct ClosureOfAnyKind {
    int *a;
    template <class G> ClosureOfAnyKind(G) : a(nullptr) {}
    __device__ void operator()(int i) const { a[0] = i; } //~ here
};

// [closure] The kernel takes another class, which is made of the closure.
//~ race
template <class F> __global__ void closure_converted_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_converted_bad(int *a)
{
    closure_converted_bad<ClosureOfAnyKind><<<1, 64>>>([=] __device__ (int i) { a[i] = i; });
}

// [closure] A number that a template parameter gives.
//~ race
template <class F> __global__ void closure_number_bad(F f)
{
    f(threadIdx.x);
}

template <int Stride> void start_closure_number_bad(int *a)
{
    closure_number_bad<<<1, 64>>>([=] __device__ (int i) {
        a[i * Stride] = i; //~ here
    });
}

void run_closure_number_bad(int *a)
{
    start_closure_number_bad<1>(a);
    start_closure_number_bad<0>(a);
}

// [closure] A narrow variable keeps eight bits.
//~ race
template <class F> __global__ void closure_narrow_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_narrow_bad(int *a)
{
    unsigned char stride = 256;
    closure_narrow_bad<<<1, 64>>>([=] __device__ (int i) {
        a[i * stride] = i; //~ here
    });
}

// [closure] A variable of the device that a local one hides.
__device__ int closure_stride = 1;

//~ race
template <class F> __global__ void closure_device_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_device_bad(int *a)
{
    const int closure_stride = 0;
    closure_device_bad<<<1, 64>>>([=] __device__ (int i) {
        a[i * closure_stride] = i; //~ here
    });
}

struct ClosureCell { int first, second; };

// [closure] A class of the function has the name of another one.
//~ fn_race
template <class F> __global__ void closure_local_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_local_bad(void *a)
{
    struct ClosureCell { char first; };
    closure_local_bad<<<1, 64>>>([=] __device__ (int i) {
        ((ClosureCell *)a)[i / 2].first = i;
    });
}

struct ClosureOwner {
    int *a;
    int stride;
    void run();
};

// [closure] The object around it is the host's.
//~ fn_race
template <class F> __global__ void closure_this_bad(F f)
{
    f(threadIdx.x);
}

void ClosureOwner::run()
{
    int *to = a;
    closure_this_bad<<<1, 64>>>([=] __device__ (int i) { to[i / 2] = i; });
}

// [closure] By reference: where the variable lies is the host's memory.
//~ fn_race
template <class F> __global__ void closure_reference_bad(F f)
{
    f(threadIdx.x);
}

void run_closure_reference_bad(int *a)
{
    closure_reference_bad<<<1, 64>>>([&] __device__ (int i) { a[i / 2] = i; });
}

// [closure] A barrier in the closure orders what the kernel does before and after.
//~ race-free
template <class F> __global__ void closure_barrier_ok(int *a, F f)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    f();
    a[threadIdx.x] = s[63 - threadIdx.x];
}

void run_closure_barrier_ok(int *a)
{
    closure_barrier_ok<<<1, 64>>>(a, [] __device__ { __syncthreads(); });
}

// [closure] A closure without one does not.
//~ race
template <class F> __global__ void closure_barrier_bad(int *a, F f)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    f();
    a[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

void run_closure_barrier_bad(int *a)
{
    closure_barrier_bad<<<1, 64>>>(a, [] __device__ { __threadfence_block(); });
}

template <class G> struct ClosureWaits {
    __device__ static void wait() { __syncthreads(); }
};

// [closure] A class template for the type of the closure, which a trait tells from others.
//~ race-free
template <class F> __global__ void closure_class_ok(int *a, F f)
{
    __shared__ int s[64];
    s[threadIdx.x] = f(threadIdx.x);
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x];
}

void run_closure_class_ok(int *a)
{
    closure_class_ok<<<1, 64>>>(a, [] __device__ (int i) { return i; });
}

typedef void (*ClosureStores)(int *, int);

__device__ void stores_in_rows(int *a, int i)
{
    a[i] = i;
}

__device__ void stores_in_pairs(int *a, int i)
{
    a[i / 2] = i; //~ here
}

// [function] A host template gives on the function that it was given.
//~ race-free
template <int N, ClosureStores Store> __global__ void closure_function_ok(int *a)
{
    Store(a, N * threadIdx.x);
}

template <int N, ClosureStores Store> void launch_closure_function_ok(int *a)
{
    closure_function_ok<N, Store><<<1, 64>>>(a);
}

void run_closure_function_ok(int *a)
{
    launch_closure_function_ok<1, stores_in_rows>(a);
}

// [function] The function stores two values in one element.
//~ race
template <int N, ClosureStores Store> __global__ void closure_function_bad(int *a)
{
    Store(a, N * threadIdx.x);
}

template <int N, ClosureStores Store> void launch_closure_function_bad(int *a)
{
    closure_function_bad<N, Store><<<1, 64>>>(a);
}

void run_closure_function_bad(int *a)
{
    launch_closure_function_bad<1, stores_in_pairs>(a);
}

template <class T> struct ClosureView {
    T *p;
    ClosureView() = default;
    __host__ __device__ ClosureView(T *q) : p(q) {}
    template <class U> __host__ __device__ ClosureView(const ClosureView<U> &other) : p(other.p) {}
    __device__ T &operator[](int i) const { return p[i]; }
};

// [copy] A constructor that is a template copies no objects of its own class: the host passes the bytes.
//~ race-free
__global__ void closure_view_ok(ClosureView<const int> from, ClosureView<int> to)
{
    to[threadIdx.x] = from[threadIdx.x];
}

// [copy] The same, and all threads of a pair store to one element.
//~ race
__global__ void closure_view_bad(ClosureView<const int> from, ClosureView<int> to)
{
    to[threadIdx.x / 2] = from[threadIdx.x] + threadIdx.x; //~ here
}

void run_closure_view(ClosureView<const int> from, ClosureView<int> to)
{
    closure_view_ok<<<1, 64>>>(from, to);
    closure_view_bad<<<1, 64>>>(from, to);
}

template <class T> struct ClosureMoves {
    T *p;
    __host__ __device__ ClosureMoves(T *q) : p(q) {}
    template <class U> __device__ ClosureMoves(ClosureMoves<U> &other) : p(other.p) { other.p[0] = threadIdx.x; } //~ here
};

// [copy] One that takes objects which are not constant is chosen before the constructor that every class has.
//~ race
__global__ void closure_moves_bad(int *a)
{
    ClosureMoves<int> first(a);
    ClosureMoves<int> second = first;
    second.p[1 + threadIdx.x] = 1;
}

template <class T> struct ClosureBox { T *p; };
template <class T> struct ClosureLimit {
    __device__ static int get() { return 1; }
};
template <> struct ClosureLimit<float> {
    __device__ static int get() { return 0; }
};

// [type] What a class is made of tells the type: its specialisation is meant.
//~ race
template <class T> __global__ void closure_box_bad(ClosureBox<T> box)
{
    box.p[threadIdx.x * ClosureLimit<T>::get()] = threadIdx.x; //~ here
}

// [type] The template itself is meant.
//~ race-free
template <class T> __global__ void closure_box_ok(ClosureBox<T> box)
{
    box.p[threadIdx.x * ClosureLimit<T>::get()] = threadIdx.x;
}

void run_closure_box(ClosureBox<float> floats, ClosureBox<int> ints)
{
    closure_box_bad<<<1, 64>>>(floats);
    closure_box_ok<<<1, 64>>>(ints);
}
