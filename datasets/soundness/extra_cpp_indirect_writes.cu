//--blockDim=64 --gridDim=1
// Extra: writes through references, proxies, bases, captures and copied structs

struct Proxy {
    int *p;
    int i;
    __device__ Proxy &operator=(int v) { p[i] = v; return *this; } //~ here
    __device__ operator int() const { return p[i]; }
};

struct Vector {
    int *p;
    __device__ Proxy operator[](int i) { return Proxy{p, i / 2}; }
};

struct Base { int a; __device__ void set(int v) { a = v; } }; //~ here
struct Left : Base { int b; };
struct Both : Base { int c; Base inner; };

struct Handle { int *p; };
struct Carrier { Handle h; int n; };

struct Functor { int *p; __device__ void operator()(int v) const { p[0] = v; } }; //~ here
struct Package { Functor f; int n; };

struct Chain {
    int v;
    __device__ Chain &self() { return *this; }
    __device__ void write(int x) { this->v = x; } //~ here
};

struct Three { int a, b, c; };
struct Hides : Chain { __device__ void write(int x) {} };
__device__ int member(const Three &o, int Three::*m) { return o.*m; }

__device__ int &at(int *p, int i) { return p[i]; }
__device__ int *pass(int *p) { return p; }
template <class F> __device__ void invoke(F &&f) { f(); }

// [reference] An increment through a returned reference.
//~ race
__global__ void through_result_bad(int *g)
{
    at(g, 3)++; //~ here
}

// [proxy] The proxy halves the index.
//~ race
__global__ void through_proxy_bad(int *g)
{
    int t = threadIdx.x;
    Vector v = {g};
    v[t] = t;
}

// Twice the index.
//~ race-free
__global__ void through_proxy_ok(int *g)
{
    int t = threadIdx.x;
    Vector v = {g};
    v[2 * t] = t;
}

// [base] A pointer to the base of everybody's object.
//~ race
__global__ void through_base_bad(Left *g)
{
    Base *b = &g[0];
    b->a = threadIdx.x; //~ here
}

// [base] A method of the base.
//~ race
__global__ void through_base_method_bad(Both *g)
{
    int t = threadIdx.x;
    g[t / 2].set(t);
}

// [base] The bytes of a base lie before the members: elements of two sizes overlap.
//~ race
__global__ void through_base_stride_bad(Left *g)
{
    int t = threadIdx.x;
    Base *b = g;
    g[t].b = t; //~ here
    b[2 * t + 3].a = t; //~ here
}

// The element's own.
//~ race-free
__global__ void through_base_ok(Both *g)
{
    int t = threadIdx.x;
    g[t].set(t);
    g[t].inner.set(t);
    Base *b = &g[t];
    b->a = 1;
}

// [capture] A lambda writes what it captured by reference.
//~ race
__global__ void through_capture_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    auto f = [&](int i) { s[i / 2] = t; }; //~ here
    f(t);
    out[t] = 1;
}

// [capture] A lambda handed on, which captured a pointer by value.
//~ race
__global__ void through_invoke_bad(int *g)
{
    int t = threadIdx.x;
    invoke([=] { g[0] = t; }); //~ here
}

// Its own element.
//~ race-free
__global__ void through_invoke_ok(int *g)
{
    int t = threadIdx.x;
    invoke([=] { g[t] = t; });
}

// [functor] A functor in a struct parameter.
//~ race
__global__ void through_functor_bad(Package k)
{
    k.f(threadIdx.x);
}

// [this] Through a chain of references to the object itself.
//~ race
__global__ void through_this_bad(Chain *c)
{
    c->self().self().write(threadIdx.x);
}

// Its own object.
//~ race-free
__global__ void through_this_ok(Chain *c)
{
    c[threadIdx.x].self().self().write(threadIdx.x);
}

// [copy] The pointer is in a struct in a local array.
//~ race
__global__ void through_carrier_bad(int *g)
{
    int t = threadIdx.x;
    Carrier c[2];
    c[1].h.p = g;
    Carrier d = c[1];
    d.h.p[t & 7] = t; //~ here
}

// [copy] A struct with a pointer, copied with memcpy.
//~ race
__global__ void through_memcpy_bad(int *g)
{
    int t = threadIdx.x;
    Handle a = {g}, b = {g + 100 + t};
    memcpy(&b, &a, sizeof(Handle));
    b.p[0] = t; //~ here
}

// Copied the other way.
//~ race-free
__global__ void through_memcpy_ok(int *g)
{
    int t = threadIdx.x;
    Handle a = {g}, b = {g + 100 + t};
    memcpy(&a, &b, sizeof(Handle));
    a.p[0] = t;
}

// [conditional] A reference bound to a choice.
//~ race
__global__ void through_choice_bad(int *out)
{
    __shared__ int a, b;
    int t = threadIdx.x;
    int &r = t & 1 ? a : b;
    r = t; //~ here
    out[t] = t;
}

// [conditional] An assignment to the choice itself.
//~ race
__global__ void through_choice_assignment_bad(int *out)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    (t & 1 ? a[t] : b[5]) = t; //~ here
    out[t] = t;
}

// Each its own.
//~ race-free
__global__ void through_choice_ok(int *out)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    (t & 1 ? a[t] : b[t]) = t;
    out[t] = t;
}

// [comma] The result of a comma is a place.
//~ race
__global__ void through_comma_bad(int *g)
{
    int t = threadIdx.x;
    (t, g[1]) = t; //~ here
}

// [assignment] The result of an assignment is a place.
//~ race
__global__ void through_assignment_bad(int *g)
{
    int t = threadIdx.x;
    int i = t;
    (i = 3) += 1;
    g[i] = t; //~ here
}

// [member-pointer] A pointer to a member.
//~ race
__global__ void through_member_pointer_bad(Left *g)
{
    int Left::*m = &Left::b;
    g[0].*m = threadIdx.x; //~ here
}

// Its own object.
//~ race-free
__global__ void through_member_pointer_ok(Left *g)
{
    int Left::*m = &Left::b;
    g[threadIdx.x].*m = threadIdx.x;
}

// [method-pointer] A pointer to a method.
//~ race
__global__ void through_method_pointer_bad(Chain *g)
{
    void (Chain::*m)(int) = &Chain::write;
    (g[0].*m)(threadIdx.x);
}

// [address] The address of what a reference refers to.
//~ race
__global__ void through_address_bad(int *g)
{
    int t = threadIdx.x;
    int &r = at(pass(g), 9);
    int *p = &r;
    *p = t; //~ here
}

// [member-pointer] It points to another member at last.
//~ race
__global__ void through_member_changed_bad(int *g)
{
    int Three::*m = &Three::b;
    m = &Three::c;
    Three o = {1, (int)threadIdx.x, 3};
    g[o.*m] = threadIdx.x; //~ here
}

// [member-pointer] One of two.
//~ race
__global__ void through_member_choice_bad(int *g, int n)
{
    int Three::*m = n ? &Three::b : &Three::c;
    Three o = {1, (int)threadIdx.x, 3};
    g[o.*m] = threadIdx.x; //~ here
}

// [member-pointer] The member is written.
//~ race
__global__ void through_member_written_bad(int *g)
{
    Three o = {1, (int)threadIdx.x, 3};
    int Three::*m = &Three::b;
    o.*m = 5;
    g[o.b] = threadIdx.x; //~ here
}

// Another member is.
//~ race-free
__global__ void through_member_written_ok(int *g)
{
    Three o = {1, (int)threadIdx.x, 3};
    int Three::*m = &Three::c;
    o.*m = 5;
    g[o.b] = threadIdx.x;
}

// [member-pointer] The second round has another one.
//~ race
__global__ void through_member_rounds_bad(int *g)
{
    Three o = {1, (int)threadIdx.x, 3};
    int Three::*m = &Three::b;
    for (int i = 0; i < 2; i++) {
        g[o.*m + 64 * i] = threadIdx.x; //~ here
        m = &Three::c;
    }
}

// [member-pointer] It is handed on.
//~ race
__global__ void through_member_argument_bad(int *g)
{
    Three o = {1, (int)threadIdx.x, 3};
    g[member(o, &Three::c)] = threadIdx.x; //~ here
}

// The other member.
//~ race-free
__global__ void through_member_argument_ok(int *g)
{
    Three o = {1, (int)threadIdx.x, 3};
    g[member(o, &Three::b)] = threadIdx.x;
}

// [member-pointer] The second of them.
//~ race
__global__ void through_member_array_bad(int *g)
{
    Three o = {1, (int)threadIdx.x, 3};
    int Three::*m[2] = {&Three::b, &Three::c};
    g[o.*m[1]] = threadIdx.x; //~ here
}

// [method-pointer] The method of the base, not the one that hides it.
//~ race
__global__ void through_method_hidden_bad(Hides *g)
{
    void (Chain::*m)(int) = &Chain::write;
    (g[0].*m)(threadIdx.x);
}

// Its own object.
//~ race-free
__global__ void through_method_ok(Chain *g)
{
    void (Chain::*m)(int) = &Chain::write;
    (g[threadIdx.x].*m)(threadIdx.x);
}
