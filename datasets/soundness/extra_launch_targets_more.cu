// Extra: the same through objects that keep pointers, through conditions, scopes and loops

#include <cstdio>
#include <functional>
#include <utility>
#include <vector>
struct StoreBox { int *p; };
void store_fill(int **p, int n);
void store_keep(int &a);
void store_touch();
int *&store_slot() { static int *slot = 0; return slot; }
int store_global = 1;
int *store_global_pointer;
struct StoreOwner { int n = 1; std::function<void()> set; StoreOwner() { set = [this] { n = 7; }; } };
struct StoreList { StoreList *next; int n; };
class StoreRef { int &r; public: StoreRef(int &x) : r(x) { } void set() { r = 7; } };
struct StoreBase { virtual void set() { } };
struct StoreDerived : StoreBase { int *p; StoreDerived(int *x) : p(x) { } void set() override { *p = 7; } };
void store_call(void (*f)(int *), int *p) { f(p); }
void store_seven(int *p) { *p = 7; }
union StoreUnion { int *p; int **q; };

// [launch] A pointer that a function keeps.
//~ race
__global__ void host_store_static_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A pointer at namespace scope.
//~ race
__global__ void host_store_global_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A variable at namespace scope.
//~ race
__global__ void host_store_global_each_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] An object with a closure.
//~ race
__global__ void host_store_owner_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A list that is walked along.
//~ race
__global__ void host_store_walk_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] References in objects in a list.
//~ race
__global__ void host_store_refs_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A virtual function.
//~ race
__global__ void host_store_virtual_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A function that is called by a pointer.
//~ race
__global__ void host_store_callback_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] The same with what a list leads to.
//~ race
__global__ void host_store_callback_listed_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a union.
//~ race
__global__ void host_store_union_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] In a handler.
//~ race
__global__ void host_store_caught_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] On the left.
//~ race
__global__ void host_store_conditional_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By names.
//~ race
__global__ void host_store_conditional_name_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Behind a comma.
//~ race
__global__ void host_store_comma_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A subscript with an effect.
//~ race
__global__ void host_store_order_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] It is counted up.
//~ race
__global__ void host_store_count_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] In a loop.
//~ race
__global__ void host_store_count_each_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] It is added to.
//~ race
__global__ void host_store_compound_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A name that hides another.
//~ race
__global__ void host_store_shadow_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Parts by names.
//~ race
__global__ void host_store_structured_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A list that is moved.
//~ race
__global__ void host_store_moved_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A function gets a list.
//~ race
__global__ void host_store_passed_list_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A closure that a closure returns.
//~ race
__global__ void host_store_returned_closure_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A pointer in a loop in a loop.
//~ race
__global__ void host_store_recursive_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Read from outside.
//~ race
__global__ void host_store_scanned_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A list that outlives a scope.
//~ race
__global__ void host_store_scope_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] What another file got in a scope.
//~ race
__global__ void host_store_scope_kept_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By an address that is a number.
//~ race
__global__ void host_store_number_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A chain of members.
//~ race
__global__ void host_store_arrow_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] The address is taken after it was read.
//~ race
__global__ void host_store_late_address_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

void run_host_store_static_bad(int *p, int n)
{
    int a = 1; store_slot() = &a; *store_slot() = 7; host_store_static_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_global_bad(int *p, int n)
{
    int a = 1; store_global_pointer = &a; store_touch(); *store_global_pointer = 7; host_store_global_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_global_each_bad(int *p, int n)
{
    store_global = 1; int *q[1] = {&store_global}; for (auto r : q) *r = 7; host_store_global_each_bad<<<1, 32>>>(p, store_global - 7);
}

void run_host_store_owner_bad(int *p, int n)
{
    StoreOwner o; o.n = 1; o.set(); host_store_owner_bad<<<1, 32>>>(p, o.n - 7);
}

void run_host_store_walk_bad(int *p, int n)
{
    StoreList a{0, 1}, b{&a, 1}; for (StoreList *l = &b; l; l = l->next) l->n = 7; host_store_walk_bad<<<1, 32>>>(p, a.n - 7);
}

void run_host_store_refs_bad(int *p, int n)
{
    int a = 1; std::vector<StoreRef> q; q.emplace_back(a); a = 1; q[0].set(); host_store_refs_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_virtual_bad(int *p, int n)
{
    int a = 1; StoreBase *q = new StoreDerived(&a); a = 1; q->set(); host_store_virtual_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_callback_bad(int *p, int n)
{
    int a = 1; void (*f[1])(int *) = {store_seven}; f[n & 0](&a); host_store_callback_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_callback_listed_bad(int *p, int n)
{
    int a = 1; std::vector<int *> q{&a}; store_call(store_seven, q[0]); host_store_callback_listed_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_union_bad(int *p, int n)
{
    int a = 1; StoreUnion u; u.p = &a; *u.p = 7; host_store_union_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_caught_bad(int *p, int n)
{
    int a = 1; int b = 1; int *q = &b; try { q = &a; throw 1; } catch (...) { *q = 7; } host_store_caught_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_conditional_bad(int *p, int n)
{
    int a = 1, b = 1; *(n ? &a : &b) = 7; host_store_conditional_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_conditional_name_bad(int *p, int n)
{
    int a = 1, b = 1; (n ? a : b) = 7; host_store_conditional_name_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_comma_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; int i = 5; *(i = 0, q[i]) = 7; host_store_comma_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_order_bad(int *p, int n)
{
    int a = 1, b = 1; int *q[2] = {&b, &a}; int i = 0; *q[++i] = 7; host_store_order_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_count_bad(int *p, int n)
{
    int a = 6; std::vector<int *> q{&a}; ++*q[0]; host_store_count_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_count_each_bad(int *p, int n)
{
    int a = 6; int *q[1] = {&a}; for (auto r : q) (*r)++; host_store_count_each_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_compound_bad(int *p, int n)
{
    int a = 6; std::vector<int *> q{&a}; *q[0] += 1; host_store_compound_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_shadow_bad(int *p, int n)
{
    int a = 1; { int *q[1] = {&a}; int a = 2; for (auto r : q) *r = 7; } host_store_shadow_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_structured_bad(int *p, int n)
{
    int a = 1; std::pair<int *, int> q(&a, 0); auto [x, y] = q; *x = 7; host_store_structured_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_moved_bad(int *p, int n)
{
    int a = 1; std::vector<int *> q{&a}; auto r = std::move(q); *r[0] = 7; host_store_moved_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_passed_list_bad(int *p, int n)
{
    int a = 1; std::vector<int *> q{&a}; [](std::vector<int *> &l) { for (auto *x : l) *x = 7; }(q); host_store_passed_list_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_returned_closure_bad(int *p, int n)
{
    int a = 1; auto f = [&] { return [&] { a = 7; }; }; f()(); host_store_returned_closure_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_recursive_bad(int *p, int n)
{
    int a = 1; int *q[2][1] = {{&a}, {&a}}; for (auto &x : q) for (auto y : x) *y = 7; host_store_recursive_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_scanned_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; for (auto r : q) sscanf("7", "%d", r); host_store_scanned_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_scope_bad(int *p, int n)
{
    int a = 1; std::vector<int *> q; { int *r = &a; q.push_back(r); } *q[0] = 7; host_store_scope_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_scope_kept_bad(int *p, int n)
{
    int a = 1; { int *r = &a; store_fill(&r, n); } a = 1; store_touch(); host_store_scope_kept_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_number_bad(int *p, int n)
{
    int a = 1; unsigned long q[1] = {(unsigned long)&a}; for (auto r : q) *(int *)r = 7; host_store_number_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_arrow_bad(int *p, int n)
{
    int a = 1; StoreBox b{&a}; struct Two { StoreBox *box; } t{&b}; Two *u[1] = {&t}; for (auto x : u) *x->box->p = 7; host_store_arrow_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_late_address_bad(int *p, int n)
{
    int a; store_fill(0, n); store_keep(a); int b = a; std::vector<int *> q{&a}; for (auto r : q) *r = 7; host_store_late_address_bad<<<1, 32>>>(p, a - b);
}
