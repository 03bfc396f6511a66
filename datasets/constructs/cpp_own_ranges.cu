//--blockDim=64 --gridDim=1
// Construct: loops over objects of classes with begin and end

struct Counter {
    int i;
    __device__ int operator*() const { return i; }
    __device__ Counter &operator++() { ++i; return *this; }
    __device__ bool operator!=(const Counter &o) const { return i != o.i; }
};

struct Numbers {
    int from, to;
    __device__ Counter begin() const { return Counter{from}; }
    __device__ Counter end() const { return Counter{to}; }
};

struct Stride {
    struct At {
        int i, by;
        __device__ int operator*() const { return i; }
        __device__ void operator++() { i += by; }
        __device__ bool operator!=(At o) const { return i < o.i; }
    };
    int from, to, by;
    __device__ At begin() const { return {from, by}; }
    __device__ At end() const { return {to, by}; }
};

struct View {
    int *data;
    int count;
    __device__ int *begin() const { return data; }
    __device__ int *end() const { return data + count; }
};

// Each thread has a column.
//~ race-free
__global__ void own_range_ok(int *g)
{
    int t = threadIdx.x;
    for (int v : Numbers{0, 4}) g[v * 64 + t] = t;
}

// [index] The columns overlap.
//~ race
__global__ void own_range_bad(int *g)
{
    int t = threadIdx.x;
    for (int v : Numbers{0, 4}) g[v * 63 + t] = t; //~ here
}

// A range that is named, left early.
//~ race-free
__global__ void own_range_left_ok(int *g)
{
    int t = threadIdx.x;
    const Numbers all{t, t + 4};
    for (auto v : all) {
        if (v != t) break;
        g[v] = t;
    }
}

// [index] Only one element is left out.
//~ race
__global__ void own_range_left_bad(int *g)
{
    int t = threadIdx.x;
    const Numbers all{t, t + 4};
    for (auto v : all) {
        if (v == t) continue;
        g[v] = t; //~ here
    }
}

// A stride as large as the block.
//~ race-free
__global__ void own_range_stride_ok(int *g, int n)
{
    for (int i : Stride{(int)threadIdx.x, n, (int)blockDim.x}) g[i] = threadIdx.x;
}

// [index] The stride is one short.
//~ race
__global__ void own_range_stride_bad(int *g, int n)
{
    for (int i : Stride{(int)threadIdx.x, n, (int)blockDim.x - 1}) g[i] = threadIdx.x; //~ here
}

// References to elements in memory.
//~ race-free
__global__ void own_range_view_ok(int *g)
{
    int t = threadIdx.x;
    for (int &x : View{g + t * 4, 4}) x = t;
}

// [extent] One element too many.
//~ race
__global__ void own_range_view_bad(int *g)
{
    int t = threadIdx.x;
    for (int &x : View{g + t * 4, 5}) x = t; //~ here
}

// All threads read what all have written.
//~ race-free
__global__ void own_range_sum_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    s[t] = g[t];
    __syncthreads();
    for (int x : View{s, 64}) sum += x;
    g[t] = sum;
}

// [missing barrier] Some may not have written yet.
//~ race
__global__ void own_range_sum_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    s[t] = g[t]; //~ here
    for (int x : View{s, 64}) sum += x; //~ here
    g[t] = sum;
}
