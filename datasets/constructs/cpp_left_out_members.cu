//--blockDim=64 --gridDim=1
// Construct: members that a list leaves out, initialised from others

struct Pair {
    int first = 1;
    int second = first + 64;
};

struct Chain {
    int a;
    int b = a * 2;
    int c = b + this->a;
};

struct Holder {
    Pair inner;
    int sum = inner.first + inner.second;
    __device__ int twice() const { return sum * 2; }
};

// The second follows from the first.
//~ race-free
__global__ void left_out_ok(int *g)
{
    int t = threadIdx.x;
    Pair p{t};
    g[p.first] = t;
    g[p.second] = t;
}

// [member] The first is its own default: the second is the same for all.
//~ race
__global__ void left_out_bad(int *g)
{
    int t = threadIdx.x;
    Pair p{};
    g[p.first + t] = t;
    g[p.second + 64] = t; //~ here
}

// One after another.
//~ race-free
__global__ void left_out_chain_ok(int *g)
{
    int t = threadIdx.x;
    Chain c = {t};
    g[c.c] = t;
    g[c.c + 1] = t;
    g[c.a * 3 + 2] = t;
}

// [member] The second is given, and the third follows from it.
//~ race
__global__ void left_out_chain_bad(int *g)
{
    int t = threadIdx.x;
    Chain c = {t, -t};
    g[c.c] = t; //~ here
}

// An object in the object.
//~ race-free
__global__ void left_out_inner_ok(int *g)
{
    int t = threadIdx.x;
    Holder h{{t}};
    g[h.twice()] = t;
    g[h.sum * 2 + 1] = t;
}

// [member] The parts of the inner object cancel.
//~ race
__global__ void left_out_inner_bad(int *g)
{
    int t = threadIdx.x;
    Holder h{{t, 64 - t}};
    g[h.twice()] = t; //~ here
}
