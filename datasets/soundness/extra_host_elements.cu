// Extra: objects in arrays and containers, whose member functions launch kernels

#include <map>
#include <memory>
#include <vector>

// [container] A reference to each element.
//~ assumed_race
__global__ void element_each_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] A copy of each.
//~ assumed_race
__global__ void element_each_copy_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] Its members differ.
//~ race-free
__global__ void element_index_ok(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1;
}

// [container] By its number.
//~ race
__global__ void element_index_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] By an iterator.
//~ assumed_race
__global__ void element_iterator_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] The first.
//~ assumed_race
__global__ void element_front_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] The value of a key.
//~ assumed_race
__global__ void element_map_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] A pointer that owns.
//~ assumed_race
__global__ void element_unique_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] One that the library makes.
//~ assumed_race
__global__ void element_made_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] An array of pointers.
//~ assumed_race
__global__ void element_pointers_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [loop] A pointer walks along an array.
//~ assumed_race
__global__ void element_walk_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] Each holds two arrays of its own.
//~ race-free
__global__ void element_array_ok(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1;
}

// [container] A copy of a container.
//~ assumed_race
__global__ void element_copied_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] Assigned.
//~ assumed_race
__global__ void element_assigned_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] Written by reference.
//~ assumed_race
__global__ void element_written_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] Allocated one by one.
//~ race-free
__global__ void element_allocated_ok(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1;
}

// [loop] What the one before holds.
//~ assumed_race
__global__ void element_shifted_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [container] A container that is a member.
//~ assumed_race
__global__ void element_member_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [loop] A list whose end holds one twice.
//~ assumed_race
__global__ void element_list_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

// [template] A function template gets some element.
//~ assumed_race
__global__ void element_template_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1] + 1; //~ here
}

struct ElementEachBad { int *x; int *y; void go_each() { element_each_bad<<<1, 32>>>(x, y); } };

void element_each_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    std::vector<ElementEachBad> v;
    v.push_back({a, a});
    for (auto &e : v)
        e.go_each();
}

struct ElementEachCopyBad { int *x; int *y; void go_each_copy() { element_each_copy_bad<<<1, 32>>>(x, y); } };

void element_each_copy_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    std::vector<ElementEachCopyBad> v = {{a, b}, {a, a}};
    for (auto e : v)
        e.go_each_copy();
}

struct ElementIndexOk { int *x; int *y; void go_index() { element_index_ok<<<1, 32>>>(x, y); } };

void element_index_ok_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    std::vector<ElementIndexOk> v(2);
    v[0] = {a, b};
    v[1] = {b, a};
    v[1].go_index();
}

struct ElementIndexBad { int *x; int *y; void go_index() { element_index_bad<<<1, 32>>>(x, y); } };

void element_index_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    std::vector<ElementIndexBad> v(2);
    v[0] = {a, b};
    v[1] = {a, b};
    v[1].y = a;
    v[1].go_index();
}

struct ElementIteratorBad { int *x; int *y; void go_iterator() { element_iterator_bad<<<1, 32>>>(x, y); } };

void element_iterator_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    std::vector<ElementIteratorBad> v;
    v.push_back({a, a});
    for (auto it = v.begin(); it != v.end(); ++it)
        it->go_iterator();
}

struct ElementFrontBad { int *x; int *y; void go_front() { element_front_bad<<<1, 32>>>(x, y); } };

void element_front_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    std::vector<ElementFrontBad> v;
    v.push_back({a, a});
    v.front().go_front();
}

struct ElementMapBad { int *x; int *y; void go_map() { element_map_bad<<<1, 32>>>(x, y); } };

void element_map_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    std::map<int, ElementMapBad> m;
    m[1] = ElementMapBad{a, a};
    for (auto &one : m)
        one.second.go_map();
}

struct ElementUniqueBad { int *x; int *y; void go_unique() { element_unique_bad<<<1, 32>>>(x, y); } };

void element_unique_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    std::unique_ptr<ElementUniqueBad> u(new ElementUniqueBad{a, a});
    u->go_unique();
}

struct ElementMadeBad { int *x; int *y; void go_made() { element_made_bad<<<1, 32>>>(x, y); } };

void element_made_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    auto u = std::make_unique<ElementMadeBad>();
    u->x = a;
    u->y = a;
    u->go_made();
}

struct ElementPointersBad { int *x; int *y; void go_pointers() { element_pointers_bad<<<1, 32>>>(x, y); } };

void element_pointers_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    ElementPointersBad one{a, b}, two{a, a};
    ElementPointersBad *v[2] = {&one, &two};
    for (auto *e : v)
        e->go_pointers();
}

struct ElementWalkBad { int *x; int *y; void go_walk() { element_walk_bad<<<1, 32>>>(x, y); } };

void element_walk_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    ElementWalkBad v[2] = {{a, b}, {a, a}};
    for (ElementWalkBad *e = v; e < v + 2; e++)
        e->go_walk();
}

struct ElementArrayOk { int *x; int *y; void go_array() { element_array_ok<<<1, 32>>>(x, y); } };

void element_array_ok_run()
{
    ElementArrayOk v[3];
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&v[i].x, 400);
        cudaMalloc(&v[i].y, 400);
    }
    for (int i = 0; i < 3; i++)
        v[i].go_array();
}

void element_copied_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    std::vector<int *> v(2);
    v[0] = a;
    v[1] = b;
    auto w = v;
    element_copied_bad<<<1, 32>>>(w[0], a);
}

void element_assigned_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    std::vector<int *> v{a}, w{b};
    v = w;
    element_assigned_bad<<<1, 32>>>(v[0], w[0]);
}

void element_written_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    std::vector<int *> v{a, b};
    for (auto &e : v)
        e = a;
    element_written_bad<<<1, 32>>>(v[0], v[1]);
}

void element_allocated_ok_run()
{
    std::vector<int *> v(2);
    for (int i = 0; i < 2; i++)
        cudaMalloc(&v[i], 400);
    element_allocated_ok<<<1, 32>>>(v[0], v[1]);
}

void element_shifted_bad_run()
{
    int *v[4], *w[4];
    for (int i = 0; i < 4; i++) {
        cudaMalloc(&v[i], 400);
        w[i] = v[i];
    }
    for (int i = 0; i < 4; i++)
        element_shifted_bad<<<1, 32>>>(v[i], w[i]);
}

struct ElementHolder { std::vector<int *> v; };

void element_member_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    ElementHolder s, t;
    s.v.push_back(a);
    t.v = s.v;
    element_member_bad<<<1, 32>>>(t.v[0], s.v[0]);
}

struct ElementNode { int *x; int *y; ElementNode *next; };

void element_list_bad_run()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    ElementNode second{a, a, nullptr}, first{a, b, &second};
    for (ElementNode *e = &first; e; e = e->next)
        element_list_bad<<<1, 32>>>(e->x, e->y);
}

struct ElementPair { int *x; int *y; };
template <class X> void element_template_go(X &o) { element_template_bad<<<1, 32>>>(o.x, o.y); }

void element_template_bad_run()
{
    int *a;
    cudaMalloc(&a, 400);
    std::vector<ElementPair> v;
    v.push_back({a, a});
    for (auto &e : v)
        element_template_go(e);
}
