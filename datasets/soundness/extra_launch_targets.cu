// Extra: stores of host code through pointers that are taken out of objects, lists and functions; closures in objects

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>
struct StoreBox { int *p; };
struct StoreNest { StoreBox inner[2]; };
struct StoreTask { std::function<void()> run; };
struct StoreSelf { int n; StoreSelf *self() { return this; } };
int *store_either(int *a, int *b, int n) { return n ? a : b; }
int &store_reference(int &a) { return a; }
void store_set(int &x) { x = 7; }
void store_swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
void store_fill(int **p, int n);
void store_keep(int &a);
int *store_kept(int &a);
void store_touch();
template <class T> void store_through(T p) { *p = 7; }

// [launch] A pointer in a structure, taken out of a list.
//~ race
__global__ void host_store_box_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Each structure of an array.
//~ race
__global__ void host_store_box_each_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] An array in a structure.
//~ race
__global__ void host_store_nest_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A list of lists.
//~ race
__global__ void host_store_lists_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By an iterator.
//~ race
__global__ void host_store_iterator_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By the first of a list.
//~ race
__global__ void host_store_front_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a map.
//~ race
__global__ void host_store_map_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a pair.
//~ race
__global__ void host_store_pair_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A closure in a structure.
//~ race
__global__ void host_store_task_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] In a list of structures.
//~ race
__global__ void host_store_tasks_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A list of functions, by an index.
//~ race
__global__ void host_store_functions_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Each of them.
//~ race
__global__ void host_store_functions_each_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A closure with a pointer of its own.
//~ race
__global__ void host_store_captured_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By what a function returns.
//~ race
__global__ void host_store_either_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a reference that a function returns.
//~ race
__global__ void host_store_reference_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a reference that is kept.
//~ race
__global__ void host_store_reference_kept_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A function writes to what a list leads to.
//~ race
__global__ void host_store_reference_listed_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] The same in a loop.
//~ race
__global__ void host_store_reference_each_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a reference in a list.
//~ race
__global__ void host_store_wrapped_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Pointers are swapped.
//~ race
__global__ void host_store_swapped_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a function of their own.
//~ race
__global__ void host_store_swapped_own_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A pointer to a pointer.
//~ race
__global__ void host_store_twice_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] To one of two.
//~ race
__global__ void host_store_twice_either_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] An element of an array.
//~ race
__global__ void host_store_element_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] One that is found by counting.
//~ race
__global__ void host_store_element_moved_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A smart pointer in a list.
//~ race
__global__ void host_store_unique_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A shared pointer to a structure.
//~ race
__global__ void host_store_shared_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A structure on the heap.
//~ race
__global__ void host_store_heap_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Structures on the heap.
//~ race
__global__ void host_store_heap_list_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] An object tells its address.
//~ race
__global__ void host_store_self_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Its address by the library.
//~ race
__global__ void host_store_addressof_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Another file gets a list, which it may fill.
//~ race
__global__ void host_store_filled_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Another file keeps a reference.
//~ race
__global__ void host_store_kept_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] It gives it back.
//~ race
__global__ void host_store_kept_pointer_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By a template.
//~ race
__global__ void host_store_template_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A copy of the list.
//~ race
__global__ void host_store_copied_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A list that the loop fills.
//~ race
__global__ void host_store_loop_late_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A pointer that goes round through the heap.
//~ race
__global__ void host_store_loop_heap_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A closure that another calls.
//~ race
__global__ void host_store_inner_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A closure of a list launches it.
//~ race
__global__ void host_store_launch_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By an unsigned number.
//~ race
__global__ void host_store_wide_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] By its bytes.
//~ race
__global__ void host_store_bytes_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A whole structure.
//~ race
__global__ void host_store_struct_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A member by its own pointer.
//~ race
__global__ void host_store_member_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] A number with a fraction.
//~ race
__global__ void host_store_double_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] The size of a block.
//~ race
__global__ void host_store_grid_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

// [launch] Numbers of another kind.
//~ race-free
__global__ void host_store_other_type_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

// [launch] A list that leads to another variable.
//~ race-free
__global__ void host_store_other_list_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

// [launch] It is set again.
//~ race-free
__global__ void host_store_after_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

void run_host_store_box_bad(int *p, int n)
{
    int a = 1; std::vector<StoreBox> q; q.push_back(StoreBox{&a}); *q[0].p = 7; host_store_box_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_box_each_bad(int *p, int n)
{
    int a = 1; StoreBox q[1] = {{&a}}; for (auto &b : q) *b.p = 7; host_store_box_each_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_nest_bad(int *p, int n)
{
    int a = 1; StoreNest s; s.inner[n & 1].p = &a; s.inner[1 - (n & 1)].p = &a; *s.inner[n & 1].p = 7; host_store_nest_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_lists_bad(int *p, int n)
{
    int a = 1; std::vector<std::vector<int *>> q(1); q[0].push_back(&a); *q[0][0] = 7; host_store_lists_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_iterator_bad(int *p, int n)
{
    int a = 1; std::vector<int *> q; q.push_back(&a); for (auto i = q.begin(); i != q.end(); ++i) **i = 7; host_store_iterator_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_front_bad(int *p, int n)
{
    int a = 1; std::vector<int *> q{&a}; *q.front() = 7; host_store_front_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_map_bad(int *p, int n)
{
    int a = 1; std::map<int, int *> q; q[0] = &a; *q[0] = 7; host_store_map_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_pair_bad(int *p, int n)
{
    int a = 1; std::pair<int *, int> q(&a, 0); *q.first = 7; host_store_pair_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_task_bad(int *p, int n)
{
    int a = 1; StoreTask t; t.run = [&] { a = 7; }; t.run(); host_store_task_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_tasks_bad(int *p, int n)
{
    int a = 1; std::vector<StoreTask> q(1); q[0].run = [&] { a = 7; }; q[0].run(); host_store_tasks_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_functions_bad(int *p, int n)
{
    int a = 1; std::vector<std::function<void()>> q; q.push_back([&] { a = 7; }); q[0](); host_store_functions_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_functions_each_bad(int *p, int n)
{
    int a = 1; std::vector<std::function<void()>> q; q.push_back([&] { a = 7; }); for (auto &f : q) f(); host_store_functions_each_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_captured_bad(int *p, int n)
{
    int a = 1; int *r = &a; std::vector<std::function<void()>> q; q.push_back([r] { *r = 7; }); q[0](); host_store_captured_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_either_bad(int *p, int n)
{
    int a = 1, b = 1; *store_either(&a, &b, n) = 7; host_store_either_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_reference_bad(int *p, int n)
{
    int a = 1; store_reference(a) = 7; host_store_reference_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_reference_kept_bad(int *p, int n)
{
    int a = 1; int &r = store_reference(a); a = 1; r = 7; host_store_reference_kept_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_reference_listed_bad(int *p, int n)
{
    int a = 1; std::vector<int *> q{&a}; store_set(*q[0]); host_store_reference_listed_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_reference_each_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; for (auto r : q) store_set(*r); host_store_reference_each_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_wrapped_bad(int *p, int n)
{
    int a = 1; std::vector<std::reference_wrapper<int>> q; q.push_back(std::ref(a)); a = 1; q[0].get() = 7; host_store_wrapped_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_swapped_bad(int *p, int n)
{
    int a = 1, b = 1; int *x = &a, *y = &b; std::swap(x, y); *x = 7; host_store_swapped_bad<<<1, 32>>>(p, b - 7);
}

void run_host_store_swapped_own_bad(int *p, int n)
{
    int a = 1, b = 1; int *x = &a, *y = &b; store_swap(&x, &y); *x = 7; host_store_swapped_own_bad<<<1, 32>>>(p, b - 7);
}

void run_host_store_twice_bad(int *p, int n)
{
    int a = 1; int *x = &a; int **y = &x; int ***z = &y; ***z = 7; host_store_twice_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_twice_either_bad(int *p, int n)
{
    int a = 1, b = 1; int *x = &a, *y = &b; int **z = n ? &x : &y; **z = 7; host_store_twice_either_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_element_bad(int *p, int n)
{
    int a[3] = {1, 1, 1}; int *q[1] = {&a[1]}; for (auto r : q) *r = 7; host_store_element_bad<<<1, 32>>>(p, a[1] - 7);
}

void run_host_store_element_moved_bad(int *p, int n)
{
    int a[3] = {1, 1, 1}; int *q[1] = {&a[0]}; for (auto r : q) r[n] = 7; host_store_element_moved_bad<<<1, 32>>>(p, a[1] - 7);
}

void run_host_store_unique_bad(int *p, int n)
{
    std::vector<std::unique_ptr<int *>> q; int a = 1; q.push_back(std::make_unique<int *>(&a)); **q[0] = 7; host_store_unique_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_shared_bad(int *p, int n)
{
    int a = 1; auto q = std::make_shared<StoreBox>(); q->p = &a; *q->p = 7; host_store_shared_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_heap_bad(int *p, int n)
{
    int a = 1; StoreBox *q = new StoreBox; q->p = &a; *q->p = 7; host_store_heap_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_heap_list_bad(int *p, int n)
{
    int a = 1; StoreBox *q = new StoreBox[2]; for (int i = 0; i < 2; i++) q[i].p = &a; *q[n].p = 7; host_store_heap_list_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_self_bad(int *p, int n)
{
    StoreSelf s; s.n = 1; StoreSelf *q[1] = {s.self()}; for (auto r : q) r->n = 7; host_store_self_bad<<<1, 32>>>(p, s.n - 7);
}

void run_host_store_addressof_bad(int *p, int n)
{
    int a = 1; int *r = std::addressof(a); a = 1; *r = 7; host_store_addressof_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_filled_bad(int *p, int n)
{
    int a = 1; int *r = 0; int *q[1] = {&a}; store_fill(&q[0], n); store_fill(&r, n); a = 1; *r = 7; host_store_filled_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_kept_bad(int *p, int n)
{
    int a = 1; store_keep(a); a = 1; store_touch(); host_store_kept_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_kept_pointer_bad(int *p, int n)
{
    int a = 1; int *r = store_kept(a); a = 1; *r = 7; host_store_kept_pointer_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_template_bad(int *p, int n)
{
    int a = 1; std::vector<int *> q{&a}; for (auto r : q) store_through(r); host_store_template_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_copied_bad(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; int *r[1]; memcpy(r, q, sizeof q); *r[0] = 7; host_store_copied_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_loop_late_bad(int *p, int n)
{
    int a = 1; std::vector<int *> q; for (int i = 0; i < 2; i++) { if (!q.empty()) *q[0] = 7; q.push_back(&a); } host_store_loop_late_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_loop_heap_bad(int *p, int n)
{
    int a = 1; StoreBox *h = new StoreBox; h->p = new int; for (int i = 0; i < 2; i++) { *h->p = 7; h->p = &a; } host_store_loop_heap_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_inner_bad(int *p, int n)
{
    int a = 1; std::function<void()> f = [&] { a = 7; }; std::function<void()> g = [&] { f(); }; g(); host_store_inner_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_launch_bad(int *p, int n)
{
    int a = 1; std::vector<std::function<void()>> q; q.push_back([&] { host_store_launch_bad<<<1, 32>>>(p, a - 7); }); a = 7; q[0]();
}

void run_host_store_wide_bad(int *p, int n)
{
    int a = 1; int *x = &a; unsigned *q[1] = {(unsigned *)x}; for (auto r : q) *r = 7; host_store_wide_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_bytes_bad(int *p, int n)
{
    int a = 1; char *q[1] = {(char *)&a}; for (auto r : q) r[0] = 7; host_store_bytes_bad<<<1, 32>>>(p, a - 7);
}

void run_host_store_struct_bad(int *p, int n)
{
    StoreSelf s; s.n = 1; StoreSelf t; t.n = 7; StoreSelf *q[1] = {&s}; for (auto r : q) *r = t; host_store_struct_bad<<<1, 32>>>(p, s.n - 7);
}

void run_host_store_member_bad(int *p, int n)
{
    StoreSelf s; s.n = 1; int *q[1] = {&s.n}; for (auto r : q) *r = 7; host_store_member_bad<<<1, 32>>>(p, s.n - 7);
}

void run_host_store_double_bad(int *p, int n)
{
    double a = 1; double *q[1] = {&a}; for (auto r : q) *r = 7; host_store_double_bad<<<1, 32>>>(p, (int)a - 7);
}

void run_host_store_grid_bad(int *p, int n)
{
    dim3 b(1); dim3 *q[1] = {&b}; for (auto r : q) r->x = 32; host_store_grid_bad<<<1, b>>>(p, 0);
}

void run_host_store_other_type_ok(int *p, int n)
{
    int a = 1; float f; float *q[1] = {&f}; int *r = &a; for (auto x : q) *x = 7; host_store_other_type_ok<<<1, 32>>>(p, *r);
}

void run_host_store_other_list_ok(int *p, int n)
{
    int a = 1, b = 1; int *r = &a; std::vector<int *> q{&b}; for (auto x : q) *x = 7; host_store_other_list_ok<<<1, 32>>>(p, *r);
}

void run_host_store_after_ok(int *p, int n)
{
    int a = 1; int *q[1] = {&a}; for (auto x : q) *x = 7; a = 1; host_store_after_ok<<<1, 32>>>(p, a);
}
