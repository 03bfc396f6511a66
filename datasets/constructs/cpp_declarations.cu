//--blockDim=64 --gridDim=1
// Construct: structured bindings, static variables and literals of the unit in device code

struct Pair {
    int first, second;
};

struct Row {
    int cells[2];
    int *rest;
};

struct Derived : Pair {
    int third;
};

union Either {
    int i;
    float f;
};

__device__ Pair pair_of(int a, int b) { return Pair{a, b}; }

__device__ int operator""_by(unsigned long long v) { return (int)v * 2; }
__device__ int operator""_by(long double v) { return 0; }
__device__ int operator""_raw(const char *) { return 0; }

template <typename T>
__device__ T *counter()
{
    static T count;
    return &count;
}

//~ race-free
__global__ void binding_ok(int *g)
{
    auto [i, n] = pair_of(threadIdx.x, 3);
    g[i] = n;
}

// [binding] The second member is the same for all.
//~ race
__global__ void binding_bad(int *g)
{
    auto [i, n] = pair_of(threadIdx.x, 3);
    g[n] = i; //~ here
}

//~ race-free
__global__ void binding_vector_ok(int *g)
{
    const auto [x, y] = make_int2(threadIdx.x, 0);
    g[x] = y;
}

// [binding] A copy is changed, not the object.
//~ race
__global__ void binding_copy_bad(int *g)
{
    Pair pair = {0, 1};
    auto [a, b] = pair;
    a = threadIdx.x;
    g[pair.first] = a + b; //~ here
}

//~ race-free
__global__ void binding_elements_ok(int *g)
{
    int places[2] = {0, 64};
    auto &[a, b] = places;
    a = threadIdx.x;
    g[places[0] + b] = a;
}

// [binding] The element that is changed is not the one that is used.
//~ race
__global__ void binding_elements_bad(int *g)
{
    int places[2] = {0, 64};
    auto &[a, b] = places;
    b = threadIdx.x;
    g[places[0] + a] = b; //~ here
}

// [binding] By reference the memory behind a pointer is changed.
//~ race
__global__ void binding_memory_bad(Pair *pairs)
{
    auto &[a, b] = pairs[0];
    b = threadIdx.x; //~ here
}

//~ race-free
__global__ void binding_memory_ok(Pair *pairs)
{
    auto &[a, b] = pairs[threadIdx.x];
    b = a;
}

// [binding] The names hide those around.
//~ race
__global__ void binding_hides_bad(int *g)
{
    int i = threadIdx.x;
    {
        auto [j, i] = Pair{(int)threadIdx.x, 0};
        g[i] = j; //~ here
    }
    g[64 + i] = 0;
}

// [binding] The members are those of the base.
//~ race
__global__ void binding_base_bad(int *g)
{
    struct Plain : Pair {
    };
    Plain plain;
    plain.first = 0;
    plain.second = threadIdx.x;
    auto [a, b] = plain;
    g[a] = b; //~ here
}

// [binding] An array is copied.
//~ race
__global__ void binding_array_bad(int *g)
{
    int places[2] = {0, 0};
    auto [a, b] = places;
    a = threadIdx.x;
    g[places[0]] = a + b; //~ here
}

//~ race-free
__global__ void static_own_ok(int *g)
{
    static int seen[64];
    seen[threadIdx.x] += 1;
    g[threadIdx.x] = seen[threadIdx.x];
}

// [static] One for each instance, and for all threads.
//~ race
__global__ void static_instance_bad(int *g)
{
    *counter<int>() = threadIdx.x; //~ here
    g[threadIdx.x] = *counter<float>();
}

//~ race-free
__global__ void static_instance_ok(int *g)
{
    if (threadIdx.x == 0) *counter<int>() = 1;
    if (threadIdx.x == 1) *counter<unsigned>() = 1;
}

//~ race-free
__global__ void static_atomic_ok(int *g)
{
    static unsigned taken;
    unsigned i = atomicAdd(&taken, 1u);
    g[threadIdx.x] = i;
}

// [static] It is read while others write it.
//~ race
__global__ void static_initial_bad(int *g)
{
    static int limit = 64;
    if (threadIdx.x < limit) g[threadIdx.x] = 0; //~ here
    if (threadIdx.x == 63) limit = threadIdx.x - 31; //~ here
}

// [static] What it begins with is not what it has: a kernel that ran before may have changed it.
//~ race
__global__ void static_kept_bad(int *g)
{
    static int stride = 1;
    int mine = threadIdx.x * stride;
    g[mine] = threadIdx.x; //~ here
    __syncthreads();
    if (threadIdx.x == 0) stride = 0;
}

//~ race-free
__global__ void literal_ok(int *g)
{
    g[threadIdx.x * 1_by] = threadIdx.x;
}

// [literal] Of a floating-point number it is another.
//~ race
__global__ void literal_bad(int *g)
{
    g[threadIdx.x * 1.0_by] = threadIdx.x; //~ here
}

// [literal] It gets the text.
//~ race
__global__ void literal_text_bad(int *g)
{
    g[threadIdx.x * 1_raw] = threadIdx.x; //~ here
}
