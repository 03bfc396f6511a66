// Extra: objects in host code: copies that are more than copies of bytes, moves, constructors that keep addresses

#include <utility>
struct Twice { int n; Twice() : n(32) {} Twice(const Twice &o) : n(o.n * 2) {} };
struct Plain { int n; Plain() : n(32) {} Plain(const Plain &o) : n(o.n) {} };
struct Moved { int n; Moved() : n(32) {} Moved(const Moved &o) : n(o.n) {} Moved(Moved &&o) : n(o.n) { o.n = 64; } };
struct Holds { Twice t; };
struct Kept; Kept *last;
struct Kept { int n; Kept() { n = 32; last = this; } };
static int *hook;
struct Hooked { int n; Hooked() { n = 32; hook = &n; } };
int size_of(Twice t) { return t.n; }
int size_of_moved(Moved m) { return m.n; }
void fire() { if (hook) *hook = 64; }

// [launch] With an equals sign.
//~ race
__global__ void host_copied_equals_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] With auto.
//~ race
__global__ void host_copied_auto_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] For an argument.
//~ race
__global__ void host_copied_argument_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Into a lambda.
//~ race
__global__ void host_copied_capture_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Into an array.
//~ race
__global__ void host_copied_array_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Of a member.
//~ race
__global__ void host_copied_member_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// A copy of the members alone.
//~ race-free
__global__ void host_copied_plain_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// A reference is no copy.
//~ race-free
__global__ void host_copied_reference_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// [launch] What is moved from changes.
//~ race
__global__ void host_moved_from_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] For an argument, too.
//~ race
__global__ void host_moved_argument_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] The constructor keeps the address of the object.
//~ race
__global__ void host_kept_object_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Or that of a member.
//~ race
__global__ void host_kept_member_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

void launches(int *g)
{
    {
        Twice a;
        Twice b = a;
        host_copied_equals_bad<<<1, b.n>>>(g);
    }
    {
        Twice a;
        auto b = a;
        host_copied_auto_bad<<<1, b.n>>>(g);
    }
    {
        Twice a;
        host_copied_argument_bad<<<1, size_of(a)>>>(g);
    }
    {
        Twice a;
        auto f = [a] { return a.n; };
        host_copied_capture_bad<<<1, f()>>>(g);
    }
    {
        Twice a;
        Twice b[1] = {a};
        host_copied_array_bad<<<1, b[0].n>>>(g);
    }
    {
        Holds a;
        a.t.n = 32;
        Holds b = a;
        host_copied_member_bad<<<1, b.t.n>>>(g);
    }
    {
        Plain a;
        Plain b = a;
        host_copied_plain_ok<<<1, b.n>>>(g);
    }
    {
        Twice a;
        Twice &b = a;
        host_copied_reference_ok<<<1, b.n>>>(g);
    }
    {
        Moved a;
        Moved b = std::move(a);
        host_moved_from_bad<<<1, a.n>>>(g);
    }
    {
        Moved a;
        size_of_moved(std::move(a));
        host_moved_argument_bad<<<1, a.n>>>(g);
    }
    {
        Kept k;
        last->n = 64;
        host_kept_object_bad<<<1, k.n>>>(g);
    }
    {
        Hooked h;
        fire();
        host_kept_member_bad<<<1, h.n>>>(g);
    }
}
