//--blockDim=64 --gridDim=1
// Extra: copies, implicit constructors and destructors that do something

__device__ int cells[64];

struct Half { int v; __device__ Half(int t) : v(t) {} __device__ Half(const Half &o) : v(o.v / 2) {} };
struct Holds { Half h; __device__ Holds(int t) : h(t) {} };
struct Marks { int *p; __device__ Marks(int *q) : p(q) {} __device__ Marks(const Marks &o) : p(o.p) { p[0] = threadIdx.x; } }; //~ here
struct Implicit { __device__ Implicit(int *q) { q[0] = threadIdx.x; } }; //~ here
struct Assigned { int v; __device__ Assigned &operator=(const Assigned &o) { v = o.v & 1; return *this; } };
struct HoldsAssigned { Assigned a; int k; };
struct Starts { __device__ Starts() { cells[0] = threadIdx.x; } }; //~ here
struct StartsBase : Starts { int v; };
struct StartsMember { Starts s; int v; };
struct Ends { __device__ ~Ends() { cells[0] = threadIdx.x; } }; //~ here
struct EndsBase : Ends { int v; };
struct EndsOutside { __device__ ~EndsOutside(); };
__device__ EndsOutside::~EndsOutside() { cells[0] = threadIdx.x; } //~ here

__device__ Half copied(const Half &h) { return h; }
__device__ Half fresh(int t) { return Half(t); }
__device__ Marks marked(const Marks &m) { return m; }
__device__ void by_value(Marks) {}
__device__ void by_reference(const Marks &) {}
__device__ void implicit(Implicit) {}
__device__ void implicit_reference(const Implicit &) {}
__device__ void ends(Ends) {}

// [copy] With an equals sign.
//~ race
__global__ void copy_equals_bad(int *g)
{
    Half a(threadIdx.x);
    Half b = a;
    g[b.v] = threadIdx.x; //~ here
}

// [copy] With auto.
//~ race
__global__ void copy_auto_bad(int *g)
{
    Half a(threadIdx.x);
    auto b = a;
    g[b.v] = threadIdx.x; //~ here
}

// A reference is no copy.
//~ race-free
__global__ void copy_auto_ok(int *g)
{
    Half a(threadIdx.x);
    auto &b = a;
    g[b.v] = threadIdx.x;
}

// [copy] With parentheses.
//~ race
__global__ void copy_parenthesis_bad(int *g)
{
    Half a(threadIdx.x);
    Half b(a);
    g[b.v] = threadIdx.x; //~ here
}

// [copy] Of a member.
//~ race
__global__ void copy_member_bad(int *g)
{
    Holds a(threadIdx.x);
    Holds b = a;
    g[b.h.v] = threadIdx.x; //~ here
}

// [copy] For a result.
//~ race
__global__ void copy_result_bad(int *g)
{
    Half a(threadIdx.x);
    g[copied(a).v] = threadIdx.x; //~ here
}

// A result that is made in place.
//~ race-free
__global__ void copy_result_ok(int *g)
{
    g[fresh(threadIdx.x).v] = threadIdx.x;
}

// [copy] For a lambda.
//~ race
__global__ void copy_capture_bad(int *g)
{
    Half a(threadIdx.x);
    auto f = [a] { return a.v; };
    g[f()] = threadIdx.x; //~ here
}

// By reference.
//~ race-free
__global__ void copy_capture_ok(int *g)
{
    Half a(threadIdx.x);
    auto f = [&a] { return a.v; };
    g[f()] = threadIdx.x;
}

// [copy] Into an array.
//~ race
__global__ void copy_array_bad(int *g)
{
    Half a(threadIdx.x);
    Half b[1] = {a};
    g[b[0].v] = threadIdx.x; //~ here
}

// [copy] The copy writes.
//~ race
__global__ void copy_marks_bad(int *g)
{
    Marks a(g);
    Marks b = a;
}

// [copy] That of a result as well.
//~ race
__global__ void copy_marks_result_bad(int *g)
{
    Marks a(g);
    marked(a);
}

// [copy] And of an argument.
//~ race
__global__ void copy_marks_argument_bad(int *g)
{
    Marks a(g);
    by_value(a);
}

// [copy] And of a capture.
//~ race
__global__ void copy_marks_capture_bad(int *g)
{
    Marks a(g);
    auto f = [a] { return 1; };
    f();
}

// A reference.
//~ race-free
__global__ void copy_marks_ok(int *g)
{
    Marks a(g);
    by_reference(a);
}

// [assignment] The assignment of a member keeps one bit.
//~ fn_race
__global__ void assign_member_bad(int *g)
{
    HoldsAssigned a, b;
    a.a.v = threadIdx.x;
    b = a;
    g[b.a.v] = threadIdx.x; //~ here
}

// [constructor] An argument becomes an object.
//~ race
__global__ void implicit_value_bad(int *g)
{
    implicit(g);
}

// [constructor] Also for a reference.
//~ race
__global__ void implicit_reference_bad(int *g)
{
    implicit_reference(g);
}

// [constructor] With an equals sign.
//~ race
__global__ void implicit_equals_bad(int *g)
{
    Implicit i = g;
}

// Each its own element.
//~ race-free
__global__ void implicit_ok(int *g)
{
    implicit(g + threadIdx.x);
}

// [constructor] Without arguments.
//~ race
__global__ void start_local_bad()
{
    Starts s;
}

// [constructor] Of elements.
//~ race
__global__ void start_array_bad()
{
    Starts s[2];
}

// [constructor] Of a base.
//~ race
__global__ void start_base_bad()
{
    StartsBase s;
    s.v = 1;
}

// [constructor] Of a member.
//~ race
__global__ void start_member_bad()
{
    StartsMember s;
    s.v = 1;
}

// [destructor] Of a local.
//~ race
__global__ void end_local_bad()
{
    Ends e;
}

// [destructor] Of a base.
//~ race
__global__ void end_base_bad()
{
    EndsBase e;
    e.v = 1;
}

// [destructor] Of elements.
//~ race
__global__ void end_array_bad()
{
    Ends e[2];
}

// [destructor] Of a temporary.
//~ race
__global__ void end_temporary_bad()
{
    Ends();
}

// [destructor] Of an argument.
//~ race
__global__ void end_argument_bad()
{
    ends(Ends{});
}

// [destructor] Defined outside.
//~ race
__global__ void end_outside_bad()
{
    EndsOutside e;
}

// [destructor] Of a temporary with a name.
//~ race
__global__ void end_reference_bad()
{
    const Ends &e = Ends();
}

// A pointer to an object ends nothing.
//~ race-free
__global__ void end_pointer_ok(Ends *e)
{
    Ends *f = e;
    if (f == e) cells[threadIdx.x] = 1;
}
