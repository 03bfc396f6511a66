// Extra: stores and calls in host code whose target is not written there: names with ::, subscripts written backwards, pointers
// in arrays and containers, pointers that are the same

#include <cstring>
#include <memory>
#include <utility>
#include <vector>
int v = 8;
struct NameCount { int n; void inc() { n++; } };
struct NameTwice { int *a; int *b = a; };
struct NameNode { int *d; NameNode(int *p) : d(p) { } };
union NameUnion { int *a; int *b; };
void name_set(int *p) { *p = 7; }

// [launch] A variable at namespace scope beside a local one of its name.
//~ race
__global__ void host_name_global_read_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] The local one stays.
//~ race
__global__ void host_name_global_write_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Neither does it count.
//~ race
__global__ void host_name_global_count_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Nor is its address taken.
//~ race
__global__ void host_name_global_address_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] It is not changed.
//~ race-free
__global__ void host_name_global_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

// [launch] A subscript written backwards.
//~ race
__global__ void host_name_backwards_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] It counts.
//~ race
__global__ void host_name_backwards_count_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a variable.
//~ race
__global__ void host_name_backwards_variable_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Another element.
//~ race-free
__global__ void host_name_backwards_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

// [launch] Each of an array of pointers.
//~ race
__global__ void host_name_each_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Each of a list.
//~ race
__global__ void host_name_each_listed_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a reference.
//~ race
__global__ void host_name_each_reference_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By an index.
//~ race
__global__ void host_name_each_index_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a pointer that walks.
//~ race
__global__ void host_name_each_walk_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a function.
//~ race
__global__ void host_name_each_passed_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a member function.
//~ race
__global__ void host_name_each_method_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a function of the library.
//~ race
__global__ void host_name_each_filled_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A variable that none of them points to.
//~ race-free
__global__ void host_name_each_other_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

// [launch] The same in a loop.
//~ race-free
__global__ void host_name_each_apart_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

// [launch] A pointer walks through an array.
//~ race
__global__ void host_name_walk_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A pointer that the round before set.
//~ race
__global__ void host_name_later_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Pointers in a vector.
//~ race
__global__ void host_name_vector_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] What a vector leads to points elsewhere by now.
//~ race
__global__ void host_name_stale_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A pointer in an object of its own.
//~ race
__global__ void host_name_owner_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Each closure of a list.
//~ race
__global__ void host_name_closure_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a pointer.
//~ race
__global__ void host_name_closure_pointer_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] The closure has a copy.
//~ race-free
__global__ void host_name_closure_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

// [launch] One of two pointers is set.
//~ assumed_race
__global__ void host_name_either_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

// [launch] By a reference.
//~ assumed_race
__global__ void host_name_either_reference_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

// [launch] Where exceptions are caught.
//~ assumed_race
__global__ void host_name_caught_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

// [launch] A member of a union.
//~ assumed_race
__global__ void host_name_union_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

// [launch] A member made of another.
//~ assumed_race
__global__ void host_name_member_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

// [launch] By what a closure returns.
//~ assumed_race
__global__ void host_name_returned_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

// [launch] Twice in a vector.
//~ assumed_race
__global__ void host_name_pushed_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

// [launch] The same element of a vector.
//~ assumed_race
__global__ void host_name_at_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

// [launch] A pair of one.
//~ race
__global__ void host_name_paired_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

// [launch] Two objects on the heap.
//~ assumed_race
__global__ void host_name_heap_bad(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ here
    b[threadIdx.x + 1] = -threadIdx.x; //~ here
}

void run_host_name_global_read_bad(int *p, int n)
{
    int v = 1; host_name_global_read_bad<<<1, 32>>>(p, ::v - v);
}

void run_host_name_global_write_bad(int *p, int n)
{
    int v = 0; ::v = 5; host_name_global_write_bad<<<1, 32>>>(p, v);
}

void run_host_name_global_count_bad(int *p, int n)
{
    int v = 0; ::v++; host_name_global_count_bad<<<1, 32>>>(p, v);
}

void run_host_name_global_address_bad(int *p, int n)
{
    int v = 0; *&::v = 5; host_name_global_address_bad<<<1, 32>>>(p, v);
}

void run_host_name_global_ok(int *p, int n)
{
    int v = 1; ::v = 0; host_name_global_ok<<<1, 32>>>(p, v);
}

void run_host_name_backwards_bad(int *p, int n)
{
    int a[3] = {1, 2, 3}; 2[a] = 9; host_name_backwards_bad<<<1, 32>>>(p, a[2] - 9);
}

void run_host_name_backwards_count_bad(int *p, int n)
{
    int a[3] = {1, 2, 3}; 1[a]++; host_name_backwards_count_bad<<<1, 32>>>(p, a[1] - 3);
}

void run_host_name_backwards_variable_bad(int *p, int n)
{
    int a[3] = {1, 2, 3}; int i = n & 1; i[a] = 9; host_name_backwards_variable_bad<<<1, 32>>>(p, a[1] - 9);
}

void run_host_name_backwards_ok(int *p, int n)
{
    int a[3] = {1, 2, 3}; 2[a] = 0; host_name_backwards_ok<<<1, 32>>>(p, a[1] - 1);
}

void run_host_name_each_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; for (auto r : q) *r = 7; host_name_each_bad<<<1, 32>>>(p, a - 7);
}

void run_host_name_each_listed_bad(int *p, int n)
{
    int a = 1; for (int *r : {&a}) *r = 7; host_name_each_listed_bad<<<1, 32>>>(p, a - 7);
}

void run_host_name_each_reference_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; for (auto &r : q) *r = 7; host_name_each_reference_bad<<<1, 32>>>(p, a - 7);
}

void run_host_name_each_index_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; for (int i = 0; i < 1; i++) *q[i] = 7; host_name_each_index_bad<<<1, 32>>>(p, a - 7);
}

void run_host_name_each_walk_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; for (int **r = q; r < q + 1; r++) **r = 7; host_name_each_walk_bad<<<1, 32>>>(p, a - 7);
}

void run_host_name_each_passed_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; for (auto r : q) name_set(r); host_name_each_passed_bad<<<1, 32>>>(p, a - 7);
}

void run_host_name_each_method_bad(int *p, int n)
{
    NameCount a; a.n = 1; NameCount *q[1] = {&a}; for (auto r : q) r->inc(); host_name_each_method_bad<<<1, 32>>>(p, a.n - 2);
}

void run_host_name_each_filled_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; for (auto r : q) memset(r, 0, 4); host_name_each_filled_bad<<<1, 32>>>(p, a);
}

void run_host_name_each_other_ok(int *p, int n)
{
    int a = 1, b = 1; int *q[1] = {&a}; *q[0] = 7; host_name_each_other_ok<<<1, 32>>>(p, b);
}

void run_host_name_each_apart_ok(int *p, int n)
{
    int a = 1, b = 1; int *q[1] = {&a}; for (auto r : q) *r = 7; host_name_each_apart_ok<<<1, 32>>>(p, b);
}

void run_host_name_walk_bad(int *p, int n)
{
    int a[3] = {1, 2, 3}; for (int *r = a; r < a + 3; r++) *r = 0; host_name_walk_bad<<<1, 32>>>(p, a[1]);
}

void run_host_name_later_bad(int *p, int n)
{
    int a = 1; int *r = 0; for (int i = 0; i < 2; i++) { if (r) *r = 0; r = &a; } host_name_later_bad<<<1, 32>>>(p, a);
}

void run_host_name_vector_bad(int *p, int n)
{
    NameCount a; a.n = 1; std::vector<NameCount *> q; q.push_back(&a); q[0]->n = 7; host_name_vector_bad<<<1, 32>>>(p, a.n - 7);
}

void run_host_name_stale_bad(int *p, int n)
{
    int a = 1, b = 1; int *x = &b; std::vector<int **> q; q.push_back(&x); x = &a; **q[0] = 0; host_name_stale_bad<<<1, 32>>>(p, a);
}

void run_host_name_owner_bad(int *p, int n)
{
    int a = 1; std::unique_ptr<int *> q(new int *(&a)); **q = 7; host_name_owner_bad<<<1, 32>>>(p, a - 7);
}

void run_host_name_closure_bad(int *p, int n)
{
    int a = 1; auto f = [&] { a = 2; }; for (auto &g : {f}) g(); host_name_closure_bad<<<1, 32>>>(p, a - 2);
}

void run_host_name_closure_pointer_bad(int *p, int n)
{
    int a = 1; auto f = [&] { a = 2; }; auto *g = &f; g->operator()(); host_name_closure_pointer_bad<<<1, 32>>>(p, a - 2);
}

void run_host_name_closure_ok(int *p, int n)
{
    int a = 1; auto f = [=] { return a + 1; }; f(); host_name_closure_ok<<<1, 32>>>(p, a);
}

void run_host_name_either_bad(int *x, int *y, int n)
{
    (n ? x : y) = y;
    host_name_either_bad<<<1, 32>>>(x, y);
}

void run_host_name_either_reference_bad(int *x, int *y, int n)
{
    int *&r = n ? x : y; r = y;
    host_name_either_reference_bad<<<1, 32>>>(x, y);
}

void run_host_name_caught_bad(int *x, int *y, int n)
{
    try { x = y; } catch (...) { }
    host_name_caught_bad<<<1, 32>>>(x, y);
}

void run_host_name_union_bad(int *x, int *y, int n)
{
    NameUnion u; u.a = y; x = u.b;
    host_name_union_bad<<<1, 32>>>(x, y);
}

void run_host_name_member_bad(int *x, int *y, int n)
{
    NameTwice t{y}; x = t.a; y = t.b;
    host_name_member_bad<<<1, 32>>>(x, y);
}

void run_host_name_returned_bad(int *x, int *y, int n)
{
    auto f = [&]() -> int *& { return x; }; f() = y;
    host_name_returned_bad<<<1, 32>>>(x, y);
}

void run_host_name_pushed_bad(int *x, int *y, int n)
{
    std::vector<int *> v; v.push_back(x); v.push_back(x); x = v[0]; y = v[1];
    host_name_pushed_bad<<<1, 32>>>(x, y);
}

void run_host_name_at_bad(int *x, int *y, int n)
{
    std::vector<int *> v(1); v[0] = x; y = v.at(0); x = v[0];
    host_name_at_bad<<<1, 32>>>(x, y);
}

void run_host_name_paired_bad(int *x, int *y, int n)
{
    std::pair<int *, int *> v(x, x); x = v.first; y = v.second;
    host_name_paired_bad<<<1, 32>>>(x, y);
}

void run_host_name_heap_bad(int *x, int *y, int n)
{
    NameNode *a = new NameNode(x); NameNode *b = new NameNode(*a); x = a->d; y = b->d;
    host_name_heap_bad<<<1, 32>>>(x, y);
}
