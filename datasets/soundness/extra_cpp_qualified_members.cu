//--blockDim=64 --gridDim=1
// Extra: members by the name of their class

struct Base {
    int scale, k;
    __device__ int at(int t) const { return t * scale; }
    __device__ int at(int t) { return t * scale / 2; }
    __device__ void set(int s) { scale = s; }
};
struct Other : Base {
    int k;
    __device__ int at(int t) const { return t / 2; }
};
namespace n { template <class T> struct Gen { T v; __device__ int at(int t) { return t + v; } }; }
struct Third : n::Gen<int> {
    typedef n::Gen<int> Super;
    __device__ int at(int t) { return 0; }
    __device__ int up(int t) { return this->Super::at(t); }
};
struct Super { __device__ int at(int t) { return 0; } };

// A constant object has the constant method.
//~ race-free
__global__ void member_const_ok(int *g)
{
    int t = threadIdx.x;
    Other o;
    o.scale = 1;
    const Other &c = o;
    g[c.Base::at(t)] = t;
}

// [member] The object is not constant, and so its method is the other one.
//~ race
__global__ void member_other_bad(int *g)
{
    int t = threadIdx.x;
    Other o;
    o.scale = 1;
    g[o.Base::at(t)] = t; //~ here
}

// Twice as far.
//~ race-free
__global__ void member_other_ok(int *g)
{
    int t = threadIdx.x;
    Other o;
    o.scale = 2;
    g[o.Base::at(t)] = t;
}

// [member] Of its own class.
//~ race
__global__ void member_own_bad(int *g)
{
    int t = threadIdx.x;
    Other o;
    o.scale = 2;
    g[o.Other::at(t)] = t; //~ here
}

// Fields of one name.
//~ race-free
__global__ void member_field_ok(int *g)
{
    int t = threadIdx.x;
    Other o;
    o.k = 0;
    o.Base::k = t;
    g[o.Base::k + o.k] = t;
}

// [member] The other field.
//~ race
__global__ void member_field_bad(int *g)
{
    int t = threadIdx.x;
    Other o;
    o.k = 0;
    o.Base::k = t;
    g[o.k] = t; //~ here
}

// By a pointer.
//~ race-free
__global__ void member_pointer_ok(int *g)
{
    int t = threadIdx.x;
    Other o;
    Other *p = &o;
    p->Base::set(2);
    g[p->Base::at(t)] = t;
}

// [member] By a pointer, half as far.
//~ race
__global__ void member_pointer_bad(int *g)
{
    int t = threadIdx.x;
    Other o;
    Other *p = &o;
    p->Base::set(1);
    g[p->Base::at(t)] = t; //~ here
}

// The name is one of the object's class, not the one around.
//~ race-free
__global__ void member_super_ok(int *g)
{
    int t = threadIdx.x;
    Third o;
    o.v = 3;
    g[o.Super::at(t)] = t;
}

// [member] The method of the derived class.
//~ race
__global__ void member_super_bad(int *g)
{
    int t = threadIdx.x;
    Third o;
    o.v = 3;
    g[o.at(t)] = t; //~ here
}

// By this.
//~ race-free
__global__ void member_this_ok(int *g)
{
    int t = threadIdx.x;
    Third o;
    o.v = 3;
    g[o.up(t)] = t;
}

// In memory.
//~ race-free
__global__ void member_array_ok(Other *a)
{
    int t = threadIdx.x;
    a[t].Base::k = t;
    a[t].k = t;
}

// [member] In memory, two threads at one.
//~ race
__global__ void member_array_bad(Other *a)
{
    int t = threadIdx.x;
    a[t / 2].Base::k = t; //~ here
}
