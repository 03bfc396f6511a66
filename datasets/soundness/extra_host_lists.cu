// Soundness: lists in lists, temporaries, jumps and conversions of host code

struct ListNumbers { int w; int a[3]; };
struct ListPart { int n; int m; };
struct ListTwo { ListPart a; ListPart b; };
struct ListPointers { int *p[2]; };
struct ListEnds { int *p; ~ListEnds() { *p = 32; } };
struct ListMakes { int *p; ListMakes(int *q) : p(q) { *p = 32; } };
struct ListLess { int v; ListLess(int a) : v(a - 1) {} operator int() const { return v; } };
struct ListHalf { int v; ListHalf &operator=(const ListHalf &o) { v = o.v / 2; return *this; } };

int list_look(const ListEnds &d) { return 1; }
bool list_yes(const ListMakes &) { return true; }
ListLess list_less(int a) { return a; }

// [list] An element is changed behind the list.
//~ race
__global__ void list_element_bad(int *g, ListNumbers s) { g[threadIdx.x % s.a[1]] = threadIdx.x; } //~ here

// It is not.
//~ race-free
__global__ void list_element_ok(int *g, ListNumbers s) { g[threadIdx.x % s.a[1]] = threadIdx.x; }

// [list] A member of a member.
//~ race
__global__ void list_member_bad(int *g, ListTwo v) { g[threadIdx.x % v.b.n] = threadIdx.x; } //~ here

// [list] Of a copy.
//~ race
__global__ void list_copy_bad(int *g, ListNumbers s) { g[threadIdx.x % s.a[1]] = threadIdx.x; } //~ here

// [alias] A pointer that is changed.
//~ race
__global__ void list_pointer_bad(ListPointers s)
{
    s.p[0][threadIdx.x] = s.p[1][threadIdx.x + 1] + threadIdx.x; //~ here
}

// [alias] A list is the argument.
//~ race
__global__ void list_argument_bad(ListPointers s)
{
    s.p[0][threadIdx.x] = s.p[1][threadIdx.x + 1] + threadIdx.x; //~ here
}

// [destructor] A temporary ends.
//~ race
__global__ void list_ends_bad(int *g, int w) { g[threadIdx.x % w] = threadIdx.x; } //~ here

// [goto] Into a block.
//~ race
__global__ void list_goto_bad(int *g, int w) { g[threadIdx.x % w] = threadIdx.x; } //~ here

// [conversion] A constructor writes through the pointer that it converts.
//~ race
__global__ void list_makes_bad(int *g, int w) { g[threadIdx.x % w] = threadIdx.x; } //~ here

// [conversion] What is converted there and back is another number.
//~ race
__global__ void list_less_bad(int *g, int w) { g[threadIdx.x % w] = threadIdx.x; } //~ here

// [assignment] The assignment of the class halves.
//~ race
__global__ void list_half_bad(int *g, int w) { g[threadIdx.x % w] = threadIdx.x; } //~ here

// [managed] A kernel writes through a pointer that lies in memory.
//~ race
__global__ void list_managed_bad(int *g, int w) { g[threadIdx.x % w] = threadIdx.x; } //~ here

//~ race-free
__global__ void list_managed_ok(int **c) { if (threadIdx.x == 0) *c[0] = 32; }

void list_structs(int *g, int *a, int *b)
{
    ListNumbers s = {2, {64, 64, 64}};
    list_element_ok<<<1, 64>>>(g, s);
    ListNumbers t = s;
    s.a[1] = 32;
    list_element_bad<<<1, 64>>>(g, s);
    t.a[1] = 32;
    list_copy_bad<<<1, 64>>>(g, t);
    ListTwo v = {{64, 1}, {64, 1}};
    v.b.n = 32;
    list_member_bad<<<1, 64>>>(g, v);
    ListPointers p = {{a, b}};
    p.p[1] = a;
    list_pointer_bad<<<1, 64>>>(p);
    list_argument_bad<<<1, 64>>>({{a, a}});
}

void list_effects(int *g, int x)
{
    int n = 64;
    list_look(ListEnds{&n});
    list_ends_bad<<<1, 64>>>(g, n);
    int q = 64;
    list_yes(&q);
    list_makes_bad<<<1, 64>>>(g, q);
    list_less_bad<<<1, 64>>>(g, list_less(64));
    ListHalf c{0}, d{64};
    c = d;
    list_half_bad<<<1, 64>>>(g, c.v);
    int **m;
    cudaMallocManaged(&m, 8);
    cudaMallocManaged(&m[0], 4);
    m[0][0] = 64;
    list_managed_ok<<<1, 32>>>(m);
    cudaDeviceSynchronize();
    list_managed_bad<<<1, 64>>>(g, m[0][0]);
}

void list_jumps(int *g, int x)
{
    int n = 64;
    if (x) goto inside;
    if (0) {
    inside:
        n = 32;
    }
    list_goto_bad<<<1, 64>>>(g, n);
}
