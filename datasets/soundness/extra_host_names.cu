// Extra: host objects under several names, and made out of sight

#include <memory>
#include <vector>

// [class] The base keeps what it is given.
//~ assumed_race
__global__ void named_base_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [class] A constructor runs in a function of the library.
//~ assumed_race
__global__ void named_made_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [class] The only object of a class.
//~ race
__global__ void named_only_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [class] A member that is a reference.
//~ assumed_race
__global__ void named_reference_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [loop] A pointer walks along a table.
//~ assumed_race
__global__ void named_table_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [class] A member function among several of its name.
//~ assumed_race
__global__ void named_overloaded_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [value] Changed under its other name.
//~ race
__global__ void named_walk_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [value] By a pointer that owns it.
//~ race
__global__ void named_owner_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [value] By one of two that own it.
//~ race
__global__ void named_shared_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [value] By an iterator.
//~ race
__global__ void named_iterator_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [value] One of two objects.
//~ race
__global__ void named_either_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [value] An element that is known.
//~ race-free
__global__ void named_element_ok(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x;
}

// [value] An element that the list gives.
//~ race
__global__ void named_filled_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

struct NamedBase { int *x; int *y; NamedBase(int *p, int *q) : x(p), y(q) {} void go_base() { named_base_bad<<<1, 32>>>(x, y); } };
struct NamedDerived : NamedBase { NamedDerived(int *p, int *q) : NamedBase(p, q) {} };

void named_base_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    NamedDerived o(a, a);
    o.go_base();
}

struct NamedMade { int *x; int *y; NamedMade(int *p, int *q) : x(p), y(q) {} void go_made() { named_made_bad<<<1, 32>>>(x, y); } };

void named_made_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    auto o = std::make_unique<NamedMade>(a, a);
    o->go_made();
}

struct NamedOnly {
    int *x; int *y;
    static NamedOnly &get() { static NamedOnly o; return o; }
    void set(int *p) { x = p; y = p; }
    void go_only() { named_only_bad<<<1, 32>>>(x, y); }
};

void named_only_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    NamedOnly::get().set(a);
    NamedOnly::get().go_only();
}

struct NamedParts { int *x; int *y; };
struct NamedView { NamedParts &s; NamedView(NamedParts &o) : s(o) {} void go_reference() { named_reference_bad<<<1, 32>>>(s.x, s.y); } };

void named_reference_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    NamedParts s{a, b};
    NamedView w(s);
    s.y = a;
    w.go_reference();
}

void named_table_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    int *v[3] = {a, b, a};
    for (int **e = v; e < v + 2; e++)
        named_table_bad<<<1, 32>>>(*e, e[1]);
}

struct NamedSeveral {
    int *x; int *y;
    void set(int *p) { x = p; y = p; }
    void set(float *) {}
    void go_overloaded() { named_overloaded_bad<<<1, 32>>>(x, y); }
};

void named_overloaded_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    NamedSeveral s{a, b};
    s.set(a);
    s.go_overloaded();
}

void named_walk_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    int v[2] = {1, 1};
    for (int *e = v; e < v + 2; e++) {
        int before = *e;
        v[0] = 3;
        v[1] = 3;
        named_walk_bad<<<1, 32>>>(a, *e - before);
    }
}

struct NamedNumber { int n; void up() { n++; } };

void named_owner_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    NamedNumber *u = new NamedNumber;
    std::unique_ptr<NamedNumber> w(u);
    u->n = 1;
    w->n = 2;
    named_owner_bad<<<1, 32>>>(a, u->n);
}

void named_shared_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    std::shared_ptr<NamedNumber> u(new NamedNumber), w(u);
    u->n = 1;
    w->n = 2;
    named_shared_bad<<<1, 32>>>(a, u->n);
}

void named_iterator_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    std::vector<NamedNumber> v(1);
    v[0].n = 1;
    for (auto it = v.begin(); it != v.end(); ++it)
        it->n = 2;
    named_iterator_bad<<<1, 32>>>(a, v[0].n);
}

void named_either_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    NamedNumber c{1}, d{1};
    (d.n ? c : d).up();
    named_either_bad<<<1, 32>>>(a, c.n);
}

void named_element_ok_run()
{
    int *a;
    cudaMalloc(&a, 400);
    std::vector<NamedNumber> v(2);
    v[0].n = 2;
    v[1].n = 1;
    named_element_ok<<<1, 32>>>(a, v[1].n);
}

void named_filled_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    int *v = new int[2]{1, 2};
    named_filled_bad<<<1, 32>>>(a, v[1]);
}
