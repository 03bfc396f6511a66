//--blockDim=64 --gridDim=1
// Extra: writes that stand in constructors, conversions, destructors, default arguments and initialisers

struct Marks {
    int *p;
    int i;
    __device__ Marks(int *q, int at, int v) : p(q), i(at) { p[i] = v; } //~ here
};

struct Writes {
    int *p;
    int v;
    __device__ operator int() const { p[0] = v; return v; } //~ here
};

struct Leaves {
    int *p;
    int at;
    int v;
    __device__ Leaves(int *q, int a, int x) : p(q), at(a), v(x) {}
    __device__ ~Leaves() { p[at] = v; } //~ here
};

struct Member { int *p; int old; __device__ Member(int *q, int at, int v) : p(q), old(q[at] = v) {} }; //~ here

struct Fresh { int *p; int v; int seen = p[0] = v; __device__ Fresh(int *q, int x) : p(q), v(x) {} }; //~ here

struct Copied {
    int *p;
    int v;
    __device__ Copied(int *q, int x) : p(q), v(x) {}
    __device__ Copied(const Copied &o) : p(o.p), v(o.v) { p[0] = v; } //~ here
};

struct Assigned {
    int *p;
    int v;
    __device__ Assigned &operator=(int x) { p[v] = x; return *this; } //~ here
};

__device__ int put(int *p, int v) { p[0] = v; return 0; } //~ here
__device__ int use(int *p, int v, int w = 3) { return w; }
__device__ int defaulted(int *p, int v, int &r) { r = v; return 1; }
__device__ int takes(int v) { return v; }
__device__ int takes_copy(Copied c) { return c.v; }
__device__ int looks(const Copied &c) { return c.v; }

// [constructor] The body of the constructor writes element 5.
//~ race
__global__ void write_constructor_bad(int *g)
{
    int t = threadIdx.x;
    Marks m(g, 5, t);
}

// Each its own.
//~ race-free
__global__ void write_constructor_ok(int *g)
{
    int t = threadIdx.x;
    Marks m(g, t, t);
}

// [constructor] A temporary.
//~ race
__global__ void write_temporary_bad(int *g)
{
    int t = threadIdx.x;
    Marks(g, 5, t);
}

// [conversion] The conversion to int writes element 0.
//~ race
__global__ void write_conversion_bad(int *g, int *out)
{
    int t = threadIdx.x;
    Writes w = {g, t};
    out[t] = takes(w);
}

// [conversion] As a condition.
//~ race
__global__ void write_condition_bad(int *g, int *out)
{
    int t = threadIdx.x;
    Writes w = {g, t};
    if (w) out[t] = 1;
}

// Its own element.
//~ race-free
__global__ void write_conversion_ok(int *g, int *out)
{
    int t = threadIdx.x;
    Writes w = {g + t, t};
    out[t] = takes(w);
}

// [destructor] At the end of the block.
//~ race
__global__ void write_destructor_bad(int *g)
{
    int t = threadIdx.x;
    Leaves l(g, 0, t);
}

// [destructor] Each its own element, but the barrier comes before the write.
//~ race
__global__ void write_destructor_late_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    Leaves l(s, t, t);
    __syncthreads();
    out[t] = s[63 - t]; //~ here
}

// The block ends before the barrier.
//~ race-free
__global__ void write_destructor_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    {
        Leaves l(s, t, t);
    }
    __syncthreads();
    out[t] = s[63 - t];
}

// [initialiser] In the list before the body.
//~ race
__global__ void write_initialiser_bad(int *g)
{
    int t = threadIdx.x;
    Member m(g, 0, t);
}

// Its own element.
//~ race-free
__global__ void write_initialiser_ok(int *g)
{
    int t = threadIdx.x;
    Member m(g, t, t);
}

// [initialiser] In the default of a member.
//~ race
__global__ void write_member_default_bad(int *g)
{
    int t = threadIdx.x;
    Fresh f(g, t);
}

// [constructor] The copy constructor, for an argument by value.
//~ race
__global__ void write_copy_bad(int *g, int *out)
{
    int t = threadIdx.x;
    Copied c(g, t);
    out[t] = takes_copy(c);
}

// By reference there is no copy.
//~ race-free
__global__ void write_copy_ok(int *g, int *out)
{
    int t = threadIdx.x;
    Copied c(g, t);
    out[t] = looks(c);
}

// [assignment] operator= writes elsewhere.
//~ race
__global__ void write_assignment_bad(int *g)
{
    int t = threadIdx.x;
    Assigned a = {g, 0};
    a = t;
}

// Its own element.
//~ race-free
__global__ void write_assignment_ok(int *g)
{
    int t = threadIdx.x;
    Assigned a = {g, t};
    a = t;
}

__device__ int *cell;
__device__ int fallback(int v = cell[0] = threadIdx.x) { return v; } //~ here

// [default-argument] The default argument writes.
//~ race
__global__ void write_default_argument_bad(int *out)
{
    out[threadIdx.x] = fallback();
}

// It is not evaluated when one is given.
//~ race-free
__global__ void write_default_argument_ok(int *out)
{
    out[threadIdx.x] = fallback(3);
}

// [sizeof] The operand of sizeof is not evaluated, the subscript is.
//~ race
__global__ void write_in_subscript_bad(int *g, int *out)
{
    int t = threadIdx.x;
    out[t] = sizeof(g[7] = t);
    out[64 + t + put(g, t)] = 1;
}

// Only the operand of sizeof.
//~ race-free
__global__ void write_unevaluated_ok(int *g, int *out)
{
    int t = threadIdx.x;
    out[t] = sizeof(put(g, t));
}
