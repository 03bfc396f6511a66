//--blockDim=64 --gridDim=1
// Construct: classes with virtual methods: their layout, and which method is meant

struct Base {
    int k;
    __device__ virtual int at(int i) const { return i; }
    __device__ int twice(int i) const { return at(i); }
    __device__ virtual ~Base() {}
};

struct Derived : Base {
    int v;
    __device__ int at(int i) const { return 0; }
};

struct Late : Derived {
    __device__ int other(int i) const { return at(i); }
};

struct Calls {
    __device__ virtual int operator()(int i) const { return i; }
};

struct CallsNothing : Calls {
    __device__ int operator()(int i) const { return 0; }
};

struct Becomes {
    __device__ virtual operator int() const { return threadIdx.x; }
};

struct BecomesNothing : Becomes {
    __device__ operator int() const { return 0; }
};

struct Adds {
    __device__ virtual int operator+(int i) const { return i; }
};

struct AddsNothing : Adds {
    __device__ int operator+(int i) const { return 0; }
};

template <typename T>
struct Curious {
    __device__ virtual int at(int i) { return i; }
};

struct Itself : Curious<Itself> {
    __device__ int at(int i) { return 0; }
};

struct Making {
    int place;
    __device__ Making() { place = at(threadIdx.x); }
    __device__ virtual int at(int i) const { return 0; }
};

struct Made : Making {
    __device__ int at(int i) const { return i; }
};

struct Cells {
    __device__ virtual int none() const { return 0; }
    int v;
};

struct MoreCells : Cells {
    int w;
};

__device__ int by_reference(const Base &b, int i) { return b.at(i); }
__device__ int by_value(Base b, int i) { return b.at(i); }
__device__ int called(const Calls &c, int i) { return c(i); }
__device__ int converted(const Becomes &c) { return c; }
__device__ int added(const Adds &a, int i) { return a + i; }

//~ race-free
__global__ void virtual_own_ok(int *g)
{
    Base b;
    g[b.at(threadIdx.x)] = threadIdx.x;
}

// [virtual] The class of the object has another.
//~ race
__global__ void virtual_own_bad(int *g)
{
    Late l;
    g[l.at(threadIdx.x)] = threadIdx.x; //~ here
}

// [virtual] The method of the derived class is called by one of the base.
//~ race
__global__ void virtual_inside_bad(int *g)
{
    Derived d;
    g[d.twice(threadIdx.x)] = threadIdx.x; //~ here
}

// [virtual] From a method of the class that derives from both.
//~ race
__global__ void virtual_late_bad(int *g)
{
    Late l;
    g[l.other(threadIdx.x)] = threadIdx.x; //~ here
}

// [virtual] By reference the object has its own class.
//~ race
__global__ void virtual_argument_bad(int *g)
{
    Derived d;
    g[by_reference(d, threadIdx.x)] = threadIdx.x; //~ here
}

// By value it is an object of the base.
//~ race-free
__global__ void virtual_slice_ok(int *g)
{
    Derived d;
    g[by_value(d, threadIdx.x)] = threadIdx.x;
}

// [virtual] Through a reference that is a local name.
//~ race
__global__ void virtual_reference_bad(int *g)
{
    Derived d;
    Base &b = d;
    g[b.at(threadIdx.x)] = threadIdx.x; //~ here
}

// [virtual] Through a pointer.
//~ race
__global__ void virtual_pointer_bad(int *g)
{
    Derived d;
    Base *b = &d;
    g[b->at(threadIdx.x)] = threadIdx.x; //~ here
}

// [virtual] Through a cast.
//~ race
__global__ void virtual_cast_bad(int *g)
{
    Derived d;
    g[static_cast<Base &>(d).at(threadIdx.x)] = threadIdx.x; //~ here
}

// [virtual] An operator for calls.
//~ race
__global__ void virtual_call_bad(int *g)
{
    CallsNothing c;
    g[called(c, threadIdx.x)] = threadIdx.x; //~ here
}

// [virtual] A conversion.
//~ race
__global__ void virtual_conversion_bad(int *g)
{
    BecomesNothing b;
    g[converted(b)] = threadIdx.x; //~ here
}

// [virtual] Another operator.
//~ race
__global__ void virtual_operator_bad(int *g)
{
    AddsNothing a;
    g[added(a, threadIdx.x)] = threadIdx.x; //~ here
}

// [virtual] Of a template that knows the derived class.
//~ race
__global__ void virtual_template_bad(int *g)
{
    Itself i;
    Curious<Itself> &c = i;
    g[c.at(threadIdx.x)] = threadIdx.x; //~ here
}

// [virtual] While the base is made, the object is one of the base.
//~ race
__global__ void virtual_constructor_bad(int *g)
{
    Made m;
    g[m.place] = threadIdx.x; //~ here
}

// The table comes first, and the members of the derived class lie in the padding of the base: 16 bytes.
//~ race-free
__global__ void virtual_layout_ok(char *g)
{
    MoreCells *c = (MoreCells *)g;
    c[threadIdx.x].w = threadIdx.x;
    *(int *)(g + 16 * threadIdx.x + 8) = threadIdx.x;
}

// [virtual] It is 12 bytes from the start.
//~ race
__global__ void virtual_layout_bad(char *g)
{
    MoreCells *c = (MoreCells *)g;
    c[threadIdx.x].w = threadIdx.x; //~ here
    if (threadIdx.x < 63) *(int *)(g + 16 * threadIdx.x + 28) = threadIdx.x; //~ here
}
