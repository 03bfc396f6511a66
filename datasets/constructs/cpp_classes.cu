//--blockDim=64 --gridDim=1
// Construct: classes: methods, constructors, nested and inherited classes, by value and by pointer

struct Row {
    int *data;
    int pitch;
    __device__ Row(int *d, int p) : data(d), pitch(p) {}
    __device__ void put(int i, int v) { data[i * pitch] = v; }
    __device__ int get(int i) const { return data[i * pitch]; }
};

struct Offset {
    int first = 0;
    int step = 1;
    __device__ Offset() {}
    __device__ explicit Offset(int s) : step(s) {}
    __device__ int at(int t) const { return first + t * step; }
};

class Counter {
    int value;
public:
    __device__ Counter() : value(3) {}
    __device__ Counter &add(int d) { value += d; return *this; }
    __device__ int read() const { return value; }
};

struct Grid {
    struct Cell { int x, y; };
    Cell origin;
    __device__ int index(Cell c) const { return (c.y - origin.y) * 8 + c.x - origin.x; }
};

struct Base {
    int scale;
    __device__ Base(int s) : scale(s) {}
    __device__ int at(int t) const { return t * scale; }
};

struct Derived : Base {
    int shift;
    __device__ Derived(int s, int h) : Base(s), shift(h) {}
    __device__ int place(int t) const { return at(t) + shift; }
};

struct Other : Base {
    __device__ Other() : Base(1) {}
    __device__ int at(int t) const { return t / 2; }
};

struct View { int *data; int n; };

// The pitch is 1.
//~ race-free
__global__ void class_method_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Row row(s, 1);
    row.put(t, t);
}

// [index] The pitch is 0.
//~ race
__global__ void class_method_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Row row(s, 0);
    s[0] = 1; //~ here
    row.data[t * row.pitch] = t; //~ here
}

// A barrier between the two methods.
//~ race-free
__global__ void class_methods_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Row row(s, 1);
    row.put(t, t);
    __syncthreads();
    out[t] = row.get(63 - t);
}

// Default values of members.
//~ race-free
__global__ void class_default_member_ok(int *g)
{
    int t = threadIdx.x;
    Offset o;
    g[o.at(t)] = t;
}

// [index] The constructor replaces the default.
//~ race
__global__ void class_default_member_bad(int *g)
{
    int t = threadIdx.x;
    Offset o(0);
    g[o.at(t)] = t; //~ here
}

// Chained calls on one object: 3 - 3.
//~ race-free
__global__ void class_chain_ok(int *g)
{
    int t = threadIdx.x;
    Counter c;
    c.add(-1).add(-2);
    g[t + c.read()] = t;
}

// [index] Every call counts: 3 - 4 + t - t.
//~ race
__global__ void class_chain_bad(int *g)
{
    int t = threadIdx.x;
    Counter c;
    c.add(t).add(-t).add(-2);
    g[t * (c.read() - 1)] = t; //~ here
}

// A nested class.
//~ race-free
__global__ void class_nested_ok(int *g)
{
    int t = threadIdx.x;
    Grid grid;
    grid.origin.x = 0;
    grid.origin.y = 0;
    Grid::Cell c = {t % 8, t / 8};
    g[grid.index(c)] = t;
}

// [index] Rows of seven in a pitch of eight, and columns up to eight.
//~ race
__global__ void class_nested_bad(int *g)
{
    int t = threadIdx.x;
    Grid grid = {{0, 0}};
    Grid::Cell c = {t % 9, t / 9};
    g[grid.index(c)] = t; //~ here
}

// The constructor of the base.
//~ race-free
__global__ void class_inherit_ok(int *g)
{
    int t = threadIdx.x;
    Derived d(2, 1);
    g[d.place(t)] = t;
}

// [index] The scale of the base is 0.
//~ race
__global__ void class_inherit_bad(int *g)
{
    int t = threadIdx.x;
    Derived d(0, 5);
    g[d.place(t)] = t; //~ here
}

// The hidden method is called by the name of its class.
//~ race-free
__global__ void class_hidden_ok(int *g)
{
    int t = threadIdx.x;
    Other o;
    g[o.Base::at(t)] = t;
}

// [index] The method of the derived class hides the other.
//~ race
__global__ void class_hidden_bad(int *g)
{
    int t = threadIdx.x;
    Other o;
    g[o.at(t)] = t; //~ here
}

// A struct parameter by value.
//~ race-free
__global__ void class_by_value_ok(View v)
{
    int t = threadIdx.x;
    if (t < v.n) v.data[t] = t;
}

// [index] Changing the copy does not separate threads.
//~ race
__global__ void class_by_value_bad(View v)
{
    int t = threadIdx.x;
    v.n = 7;
    v.data[v.n + (t & 1)] = t; //~ here
}

// A struct by pointer: the array behind the member.
//~ race-free
__global__ void class_by_pointer_ok(View *v)
{
    int t = threadIdx.x;
    if (t < v->n) v->data[t] = t;
}

// [field] The field itself is shared by all.
//~ race
__global__ void class_by_pointer_bad(View *v)
{
    int t = threadIdx.x;
    v->n = t; //~ here
    v->data[t] = t;
}
