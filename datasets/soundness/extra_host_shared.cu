// Extra: pointers that host code copies over others, or passes twice to what is not followed

#include <algorithm>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>
struct HostPair { int *x; int *y; int n; };
typedef void (*HostFunction)(int *, int *);

// [launch] The 18th launch passes one pointer twice.
//~ assumed_race
__global__ void shared_merged_bad(HostPair s, int n)
{
    s.x[threadIdx.x] = s.y[threadIdx.x + 1] + n; //~ here
}

// [launch] None of the launches does.
//~ race-free
__global__ void shared_merged_ok(HostPair s, int n)
{
    s.x[threadIdx.x] = s.y[threadIdx.x + 1] + n;
}

// [launch] An object is copied with `memcpy`.
//~ assumed_race
__global__ void shared_memcpy_bad(HostPair s)
{
    s.x[threadIdx.x] = s.y[threadIdx.x + 1]; //~ here
}

// [launch] Another object is cleared.
//~ race-free
__global__ void shared_memset_ok(HostPair s)
{
    s.x[threadIdx.x] = s.y[threadIdx.x + 1];
}

// [launch] An array is.
//~ assumed_race
__global__ void shared_memcpy_array_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] An algorithm copies one element over another.
//~ assumed_race
__global__ void shared_copy_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] Or fills both.
//~ assumed_race
__global__ void shared_fill_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] It fills numbers.
//~ race-free
__global__ void shared_fill_ok(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1];
}

// [launch] It fills a vector.
//~ assumed_race
__global__ void shared_vector_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] The first member is written as a pointer to the object.
//~ assumed_race
__global__ void shared_first_bad(HostPair s)
{
    s.x[threadIdx.x] = s.y[threadIdx.x + 1]; //~ here
}

// [launch] The second one, beside it.
//~ assumed_race
__global__ void shared_second_bad(HostPair s)
{
    s.x[threadIdx.x] = s.y[threadIdx.x + 1]; //~ here
}

// [launch] With two pointers.
//~ race-free
__global__ void shared_pointer_ok(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1];
}

// [launch] `std::bind`.
//~ assumed_race
__global__ void shared_bind_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] A thread.
//~ assumed_race
__global__ void shared_thread_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] With two pointers.
//~ race-free
__global__ void shared_thread_ok(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1];
}

// [launch] An object that is called.
//~ assumed_race
__global__ void shared_functor_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] A member function of all elements of an array.
//~ assumed_race
__global__ void shared_array_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] Copies of the elements.
//~ assumed_race
__global__ void shared_array_value_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] Elements of a vector.
//~ assumed_race
__global__ void shared_array_vector_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] No element has one twice.
//~ race-free
__global__ void shared_array_ok(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1];
}

// [launch] A function that calls itself.
//~ assumed_race
__global__ void shared_recursive_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] It passes both on.
//~ race-free
__global__ void shared_recursive_ok(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1];
}

// [launch] A lambda in a thread.
//~ assumed_race
__global__ void shared_lambda_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

void shared_merged_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostPair s{p, q, 0};
    shared_merged_bad<<<1, 32>>>(s, 0);
    shared_merged_bad<<<1, 32>>>(s, 1);
    shared_merged_bad<<<1, 32>>>(s, 2);
    shared_merged_bad<<<1, 32>>>(s, 3);
    shared_merged_bad<<<1, 32>>>(s, 4);
    shared_merged_bad<<<1, 32>>>(s, 5);
    shared_merged_bad<<<1, 32>>>(s, 6);
    shared_merged_bad<<<1, 32>>>(s, 7);
    shared_merged_bad<<<1, 32>>>(s, 8);
    shared_merged_bad<<<1, 32>>>(s, 9);
    shared_merged_bad<<<1, 32>>>(s, 10);
    shared_merged_bad<<<1, 32>>>(s, 11);
    shared_merged_bad<<<1, 32>>>(s, 12);
    shared_merged_bad<<<1, 32>>>(s, 13);
    shared_merged_bad<<<1, 32>>>(s, 14);
    shared_merged_bad<<<1, 32>>>(s, 15);
    shared_merged_bad<<<1, 32>>>(s, 16);
    s.y = p;
    shared_merged_bad<<<1, 32>>>(s, 18);
}

void shared_merged_ok_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostPair s{p, q, 0};
    shared_merged_ok<<<1, 32>>>(s, 0);
    shared_merged_ok<<<1, 32>>>(s, 1);
    shared_merged_ok<<<1, 32>>>(s, 2);
    shared_merged_ok<<<1, 32>>>(s, 3);
    shared_merged_ok<<<1, 32>>>(s, 4);
    shared_merged_ok<<<1, 32>>>(s, 5);
    shared_merged_ok<<<1, 32>>>(s, 6);
    shared_merged_ok<<<1, 32>>>(s, 7);
    shared_merged_ok<<<1, 32>>>(s, 8);
    shared_merged_ok<<<1, 32>>>(s, 9);
    shared_merged_ok<<<1, 32>>>(s, 10);
    shared_merged_ok<<<1, 32>>>(s, 11);
    shared_merged_ok<<<1, 32>>>(s, 12);
    shared_merged_ok<<<1, 32>>>(s, 13);
    shared_merged_ok<<<1, 32>>>(s, 14);
    shared_merged_ok<<<1, 32>>>(s, 15);
    shared_merged_ok<<<1, 32>>>(s, 16);
    shared_merged_ok<<<1, 32>>>(s, 18);
}

void shared_memcpy_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostPair s{p, q, 0};
    HostPair t{q, q, 0};
    memcpy(&s, &t, sizeof s);
    shared_memcpy_bad<<<1, 32>>>(s);
}

void shared_memset_ok_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostPair s{p, q, 0};
    HostPair t{q, q, 0};
    memset(&t, 0, sizeof t);
    shared_memset_ok<<<1, 32>>>(s);
}

void shared_memcpy_array_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    int *a[2] = {p, q};
    int *b[2] = {q, q};
    memcpy(a, b, sizeof a);
    shared_memcpy_array_bad<<<1, 32>>>(a[0], a[1]);
}

void shared_copy_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    int *a[2] = {p, q};
    std::copy(a, a + 1, a + 1);
    shared_copy_bad<<<1, 32>>>(a[0], a[1]);
}

void shared_fill_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    int *a[2] = {p, q};
    std::fill(a, a + 2, p);
    shared_fill_bad<<<1, 32>>>(a[0], a[1]);
}

void shared_fill_ok_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    int n[2] = {1, 2};
    int *a[2] = {p, q};
    std::fill(n, n + 2, 3);
    shared_fill_ok<<<1, 32>>>(a[0], a[1]);
}

void shared_vector_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    std::vector<int *> a{p, q};
    std::fill(a.begin(), a.end(), p);
    shared_vector_bad<<<1, 32>>>(a[0], a[1]);
}

void shared_first_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostPair s{p, q, 0};
    *(int **)&s = q;
    shared_first_bad<<<1, 32>>>(s);
}

void shared_second_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostPair s{p, q, 0};
    ((int **)&s)[1] = p;
    shared_second_bad<<<1, 32>>>(s);
}

void shared_pointer_ok_go(int *x, int *y)
{
    shared_pointer_ok<<<1, 32>>>(x, y);
}

void shared_pointer_ok_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostFunction f = shared_pointer_ok_go;
    f(p, q);
}

void shared_bind_bad_go(int *x, int *y)
{
    shared_bind_bad<<<1, 32>>>(x, y);
}

void shared_bind_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    shared_bind_bad_go(p, q);
    auto f = std::bind(shared_bind_bad_go, p, p);
    f();
}

void shared_thread_bad_go(int *x, int *y)
{
    shared_thread_bad<<<1, 32>>>(x, y);
}

void shared_thread_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    shared_thread_bad_go(p, q);
    std::thread t(shared_thread_bad_go, p, p);
    t.join();
}

void shared_thread_ok_go(int *x, int *y)
{
    shared_thread_ok<<<1, 32>>>(x, y);
}

void shared_thread_ok_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    std::thread t(shared_thread_ok_go, p, q);
    t.join();
}

struct SharedFunctor {
    int *x;
    void operator()(int *y) { shared_functor_bad<<<1, 32>>>(x, y); }
};

void shared_functor_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    SharedFunctor e{p};
    e(q);
    e(p);
}

struct SharedElement {
    int *x, *y;
    void go() const { shared_array_bad<<<1, 32>>>(x, y); }
};

void shared_array_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    const SharedElement es[] = {{p, q}, {q, q}};
    for (auto &e : es)
        e.go();
}

void shared_array_value_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    const HostPair es[] = {{p, q, 0}, {q, q, 0}};
    for (auto e : es)
        shared_array_value_bad<<<1, 32>>>(e.x, e.y);
}

void shared_array_vector_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    const std::vector<HostPair> es = {{p, q, 0}, {q, q, 0}};
    for (HostPair e : es)
        shared_array_vector_bad<<<1, 32>>>(e.x, e.y);
}

void shared_array_ok_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostPair es[] = {{p, q, 0}, {q, p, 0}};
    shared_array_ok<<<1, 32>>>(es[1].x, es[1].y);
}

void shared_recursive_bad_go(int *x, int *y, int d)
{
    if (d > 0)
        shared_recursive_bad_go(x, x, d - 1);
    shared_recursive_bad<<<1, 32>>>(x, y);
}

void shared_recursive_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    shared_recursive_bad_go(p, q, 1);
}

void shared_recursive_ok_go(int *x, int *y, int d)
{
    if (d > 0)
        shared_recursive_ok_go(y, x, d - 1);
    shared_recursive_ok<<<1, 32>>>(x, y);
}

void shared_recursive_ok_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    shared_recursive_ok_go(p, q, 1);
}

void shared_lambda_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    std::thread t([](int *x, int *y) { shared_lambda_bad<<<1, 32>>>(x, y); }, p, p);
    t.join();
}
