//--blockDim=64 --gridDim=1
// Construct: methods that a class takes from a base by a using-declaration

struct Base {
    int scale;
    __device__ int at(int i) const { return i * scale; }
    __device__ int at(int i, int j) const { return (i + j) * 0; }
};

struct Wide : Base {
    using Base::at;
    __device__ int at(int i, int j, int k) const { return i + j + k; }
};

struct Own : Base {
    using Base::at;
    __device__ int at(int i) const { return i + scale; }
};

struct Changing : Base {
    using Base::at;
    __device__ int at(int i) { return i / scale; }
};

// The base's method, with the object's scale.
//~ race-free
__global__ void brought_in_ok(int *g)
{
    int t = threadIdx.x;
    Wide w;
    w.scale = 2;
    g[w.at(t)] = t;
    g[w.at(t, t, 1)] = t;
}

// [overload] With two arguments it is another one of the base.
//~ race
__global__ void brought_in_bad(int *g)
{
    int t = threadIdx.x;
    Wide w;
    w.scale = 2;
    g[w.at(t, 1)] = t; //~ here
}

// The class's own method hides the one that takes the same.
//~ race-free
__global__ void brought_in_hidden_ok(int *g)
{
    int t = threadIdx.x;
    Own o;
    o.scale = 0;
    g[o.at(t)] = t;
}

// [overload] The base's method, named by its class, is not hidden.
//~ race
__global__ void brought_in_hidden_bad(int *g)
{
    int t = threadIdx.x;
    Own o;
    o.scale = 0;
    g[o.Base::at(t)] = t; //~ here
}

// One for constant objects hides none for others.
//~ race-free
__global__ void brought_in_constant_ok(int *g)
{
    int t = threadIdx.x;
    Changing c;
    c.scale = 2;
    const Changing &k = c;
    g[k.at(t)] = t;
}

// [overload] The object may be changed: its own method is meant.
//~ race
__global__ void brought_in_constant_bad(int *g)
{
    int t = threadIdx.x;
    Changing c;
    c.scale = 2;
    g[c.at(t)] = t; //~ here
}
