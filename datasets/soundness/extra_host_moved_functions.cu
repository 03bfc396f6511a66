// Extra: pointers that host code makes one, in objects and closures that are called
//
// Each program is there twice: the kernel whose name ends in `bad` gets one array twice, its twin two. Where the way is followed the
// race is told; where it is not, the proof names the arrays, the launch and that it was not followed.

#include <functional>
#include <future>
#include <thread>
#include <tuple>
#include <vector>

struct MadeMovedFunctorConstructedBad {
    int *to;
    const int *from;
    MadeMovedFunctorConstructedBad(int *t, const int *f) : to(t), from(f) {}
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1]; //~ here
    }
};

// [alias] Of a function object with a constructor.
//~ race
template <class F> __global__ void moved_functor_constructed_bad(F f)
{
    f(threadIdx.x);
}

void run_moved_functor_constructed_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    MadeMovedFunctorConstructedBad f(a, a);
    moved_functor_constructed_bad<<<1, 64>>>(f);
}

struct MadeMovedFunctorConstructedOk {
    int *to;
    const int *from;
    MadeMovedFunctorConstructedOk(int *t, const int *f) : to(t), from(f) {}
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1];
    }
};

// [alias] Two arrays: of a function object with a constructor.
//~ race-free
template <class F> __global__ void moved_functor_constructed_ok(F f)
{
    f(threadIdx.x);
}

void run_moved_functor_constructed_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    MadeMovedFunctorConstructedOk f(a, b);
    moved_functor_constructed_ok<<<1, 64>>>(f);
}

struct LowMovedFunctorBaseBad { const int *from; };
struct HighMovedFunctorBaseBad : LowMovedFunctorBaseBad {
    int *to;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1]; //~ here
    }
};

// [alias] Of a function object whose base keeps one.
//~ race
template <class F> __global__ void moved_functor_base_bad(F f)
{
    f(threadIdx.x);
}

void run_moved_functor_base_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    HighMovedFunctorBaseBad f;
    f.from = a;
    f.to = a;
    moved_functor_base_bad<<<1, 64>>>(f);
}

struct LowMovedFunctorBaseOk { const int *from; };
struct HighMovedFunctorBaseOk : LowMovedFunctorBaseOk {
    int *to;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1];
    }
};

// [alias] Two arrays: of a function object whose base keeps one.
//~ race-free
template <class F> __global__ void moved_functor_base_ok(F f)
{
    f(threadIdx.x);
}

void run_moved_functor_base_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    HighMovedFunctorBaseOk f;
    f.from = b;
    f.to = a;
    moved_functor_base_ok<<<1, 64>>>(f);
}

struct LowMovedFunctorBaseMadeBad { const int *from; LowMovedFunctorBaseMadeBad(const int *f) : from(f) {} };
struct HighMovedFunctorBaseMadeBad : LowMovedFunctorBaseMadeBad {
    int *to;
    HighMovedFunctorBaseMadeBad(int *t, const int *f) : LowMovedFunctorBaseMadeBad(f), to(t) {}
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1];
    }
};

// [alias] The base of a function object is made by its constructor.
//~ assumed_race
template <class F> __global__ void moved_functor_base_made_bad(F f)
{
    f(threadIdx.x);
}

void run_moved_functor_base_made_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_functor_base_made_bad<<<1, 64>>>(HighMovedFunctorBaseMadeBad(a, a));
}

struct LowMovedFunctorBaseMadeOk { const int *from; LowMovedFunctorBaseMadeOk(const int *f) : from(f) {} };
struct HighMovedFunctorBaseMadeOk : LowMovedFunctorBaseMadeOk {
    int *to;
    HighMovedFunctorBaseMadeOk(int *t, const int *f) : LowMovedFunctorBaseMadeOk(f), to(t) {}
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1];
    }
};

// [alias] Two arrays: the base of a function object is made by its constructor.
//~ race-free
template <class F> __global__ void moved_functor_base_made_ok(F f)
{
    f(threadIdx.x);
}

void run_moved_functor_base_made_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_functor_base_made_ok<<<1, 64>>>(HighMovedFunctorBaseMadeOk(a, b));
}

struct InnerMovedFunctorNestedBad {
    int *to;
    const int *from;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1];
    }
};
template <class G> struct OuterMovedFunctorNestedBad {
    G g;
    __device__ void operator()(int i) const { g(i); }
};

// [alias] A function object in another one.
//~ assumed_race
template <class F> __global__ void moved_functor_nested_bad(F f)
{
    f(threadIdx.x);
}

void run_moved_functor_nested_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    InnerMovedFunctorNestedBad inner{a, a};
    OuterMovedFunctorNestedBad<InnerMovedFunctorNestedBad> outer{inner};
    moved_functor_nested_bad<<<1, 64>>>(outer);
}

struct InnerMovedFunctorNestedOk {
    int *to;
    const int *from;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1];
    }
};
template <class G> struct OuterMovedFunctorNestedOk {
    G g;
    __device__ void operator()(int i) const { g(i); }
};

// [alias] Two arrays: a function object in another one.
//~ race-free
template <class F> __global__ void moved_functor_nested_ok(F f)
{
    f(threadIdx.x);
}

void run_moved_functor_nested_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    InnerMovedFunctorNestedOk inner{a, b};
    OuterMovedFunctorNestedOk<InnerMovedFunctorNestedOk> outer{inner};
    moved_functor_nested_ok<<<1, 64>>>(outer);
}

struct MoveMovedFunctorInStructBad {
    int *to;
    const int *from;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1]; //~ here
    }
};
struct JobMovedFunctorInStructBad { int n; MoveMovedFunctorInStructBad move; };

// [alias] A function object that is a member of what is passed.
//~ race
__global__ void moved_functor_in_struct_bad(JobMovedFunctorInStructBad job)
{
    if (threadIdx.x < job.n) job.move(threadIdx.x);
}

void run_moved_functor_in_struct_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    JobMovedFunctorInStructBad job;
    job.n = 64;
    job.move.to = a;
    job.move.from = a;
    moved_functor_in_struct_bad<<<1, 64>>>(job);
}

struct MoveMovedFunctorInStructOk {
    int *to;
    const int *from;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1];
    }
};
struct JobMovedFunctorInStructOk { int n; MoveMovedFunctorInStructOk move; };

// [alias] Two arrays: a function object that is a member of what is passed.
//~ race-free
__global__ void moved_functor_in_struct_ok(JobMovedFunctorInStructOk job)
{
    if (threadIdx.x < job.n) job.move(threadIdx.x);
}

void run_moved_functor_in_struct_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    JobMovedFunctorInStructOk job;
    job.n = 64;
    job.move.to = a;
    job.move.from = b;
    moved_functor_in_struct_ok<<<1, 64>>>(job);
}

// [alias] A device closure has both.
//~ race
template <class F> __global__ void moved_lambda_bad(F f)
{
    f(threadIdx.x);
}

void run_moved_lambda_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    const int *in = a;
    moved_lambda_bad<<<1, 64>>>([=] __device__ (int i) {
        a[i] = in[i ^ 1]; //~ here
    });
}

// [alias] Two arrays: a device closure has both.
//~ race-free
template <class F> __global__ void moved_lambda_ok(F f)
{
    f(threadIdx.x);
}

void run_moved_lambda_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    const int *in = b;
    moved_lambda_ok<<<1, 64>>>([=] __device__ (int i) {
        a[i] = in[i ^ 1];
    });
}

// [alias] A closure in a variable.
//~ race
template <class F> __global__ void moved_lambda_named_bad(F f)
{
    f(threadIdx.x);
}

void run_moved_lambda_named_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    const int *in = a;
    auto move = [=] __device__ (int i) {
        a[i] = in[i ^ 1]; //~ here
    };
    moved_lambda_named_bad<<<1, 64>>>(move);
}

// [alias] Two arrays: a closure in a variable.
//~ race-free
template <class F> __global__ void moved_lambda_named_ok(F f)
{
    f(threadIdx.x);
}

void run_moved_lambda_named_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    const int *in = b;
    auto move = [=] __device__ (int i) {
        a[i] = in[i ^ 1];
    };
    moved_lambda_named_ok<<<1, 64>>>(move);
}

// [alias] A closure with members of its own.
//~ race
template <class F> __global__ void moved_lambda_init_bad(F f)
{
    f(threadIdx.x);
}

void run_moved_lambda_init_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto move = [to = a, from = a] __device__ (int i) {
        to[i] = from[i ^ 1]; //~ here
    };
    moved_lambda_init_bad<<<1, 64>>>(move);
}

// [alias] Two arrays: a closure with members of its own.
//~ race-free
template <class F> __global__ void moved_lambda_init_ok(F f)
{
    f(threadIdx.x);
}

void run_moved_lambda_init_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto move = [to = a, from = b] __device__ (int i) {
        to[i] = from[i ^ 1];
    };
    moved_lambda_init_ok<<<1, 64>>>(move);
}

struct TwoMovedLambdaObjectBad { int *to; const int *from; };

// [alias] A closure that has an object.
//~ race
template <class F> __global__ void moved_lambda_object_bad(F f)
{
    f(threadIdx.x);
}

void run_moved_lambda_object_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedLambdaObjectBad two{a, a};
    moved_lambda_object_bad<<<1, 64>>>([two] __device__ (int i) {
        two.to[i] = two.from[i ^ 1]; //~ here
    });
}

struct TwoMovedLambdaObjectOk { int *to; const int *from; };

// [alias] Two arrays: a closure that has an object.
//~ race-free
template <class F> __global__ void moved_lambda_object_ok(F f)
{
    f(threadIdx.x);
}

void run_moved_lambda_object_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedLambdaObjectOk two{a, b};
    moved_lambda_object_ok<<<1, 64>>>([two] __device__ (int i) {
        two.to[i] = two.from[i ^ 1];
    });
}

// [alias] A closure of the host launches with what it gets.
//~ race
__global__ void moved_lambda_host_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_lambda_host_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto go = [](int *to, const int *from) { moved_lambda_host_bad<<<1, 64>>>(to, from); };
    go(a, a);
}

// [alias] Two arrays: a closure of the host launches with what it gets.
//~ race-free
__global__ void moved_lambda_host_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_lambda_host_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto go = [](int *to, const int *from) { moved_lambda_host_ok<<<1, 64>>>(to, from); };
    go(a, b);
}

// [alias] A generic closure.
//~ race
__global__ void moved_lambda_generic_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_lambda_generic_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto go = [](auto to, auto from) { moved_lambda_generic_bad<<<1, 64>>>(to, from); };
    go(a, a);
}

// [alias] Two arrays: a generic closure.
//~ race-free
__global__ void moved_lambda_generic_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_lambda_generic_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto go = [](auto to, auto from) { moved_lambda_generic_ok<<<1, 64>>>(to, from); };
    go(a, b);
}

// [alias] A closure that calls a closure.
//~ race
__global__ void moved_lambda_nested_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_lambda_nested_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto go = [&](int *to, const int *from) { moved_lambda_nested_bad<<<1, 64>>>(to, from); };
    auto twice = [&](const int *from) { go(a, from); };
    twice(a);
}

// [alias] Two arrays: a closure that calls a closure.
//~ race-free
__global__ void moved_lambda_nested_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_lambda_nested_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto go = [&](int *to, const int *from) { moved_lambda_nested_ok<<<1, 64>>>(to, from); };
    auto twice = [&](const int *from) { go(a, from); };
    twice(b);
}

// [alias] A closure sets a variable by reference.
//~ race
__global__ void moved_lambda_sets_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_lambda_sets_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    auto set = [&](int *p) { in = p; };
    set(a);
    moved_lambda_sets_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: a closure sets a variable by reference.
//~ race-free
__global__ void moved_lambda_sets_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_lambda_sets_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    auto set = [&](int *p) { in = p; };
    set(b);
    moved_lambda_sets_ok<<<1, 64>>>(a, in);
}

// [alias] What a closure gives.
//~ race
__global__ void moved_lambda_returns_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_lambda_returns_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto pick = [&](bool first) { return first ? a : a; };
    moved_lambda_returns_bad<<<1, 64>>>(pick(true), pick(false));
}

// [alias] Two arrays: what a closure gives.
//~ race-free
__global__ void moved_lambda_returns_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_lambda_returns_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto pick = [&](bool first) { return first ? a : b; };
    moved_lambda_returns_ok<<<1, 64>>>(pick(true), pick(false));
}

struct TwoMovedLambdaReturnsStructBad { int *to; const int *from; };

// [alias] An object that a closure gives.
//~ race
__global__ void moved_lambda_returns_struct_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_lambda_returns_struct_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto make = [&] { return TwoMovedLambdaReturnsStructBad{a, a}; };
    auto two = make();
    moved_lambda_returns_struct_bad<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedLambdaReturnsStructOk { int *to; const int *from; };

// [alias] Two arrays: an object that a closure gives.
//~ race-free
__global__ void moved_lambda_returns_struct_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_lambda_returns_struct_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto make = [&] { return TwoMovedLambdaReturnsStructOk{a, b}; };
    auto two = make();
    moved_lambda_returns_struct_ok<<<1, 64>>>(two.to, two.from);
}

template <class G> static void run_itMovedLambdaPassedBad(G go) { go(); }

// [alias] A closure that a function template calls.
//~ race
__global__ void moved_lambda_passed_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_lambda_passed_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    const int *in = a;
    run_itMovedLambdaPassedBad([=] { moved_lambda_passed_bad<<<1, 64>>>(a, in); });
}

template <class G> static void run_itMovedLambdaPassedOk(G go) { go(); }

// [alias] Two arrays: a closure that a function template calls.
//~ race-free
__global__ void moved_lambda_passed_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_lambda_passed_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    const int *in = b;
    run_itMovedLambdaPassedOk([=] { moved_lambda_passed_ok<<<1, 64>>>(a, in); });
}

template <class G> static void run_itMovedLambdaPassedSetsBad(G &&go) { go(); }

// [alias] A closure that a function template calls sets a variable.
//~ race
__global__ void moved_lambda_passed_sets_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_lambda_passed_sets_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    run_itMovedLambdaPassedSetsBad([&] { in = a; });
    moved_lambda_passed_sets_bad<<<1, 64>>>(a, in);
}

template <class G> static void run_itMovedLambdaPassedSetsOk(G &&go) { go(); }

// [alias] Two arrays: a closure that a function template calls sets a variable.
//~ race-free
__global__ void moved_lambda_passed_sets_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_lambda_passed_sets_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    run_itMovedLambdaPassedSetsOk([&] { in = b; });
    moved_lambda_passed_sets_ok<<<1, 64>>>(a, in);
}

// [alias] A `std::function` with arguments.
//~ race
__global__ void moved_function_called_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_function_called_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::function<void(int *, const int *)> go = [](int *to, const int *from) { moved_function_called_bad<<<1, 64>>>(to, from); };
    go(a, a);
}

// [alias] Two arrays: a `std::function` with arguments.
//~ race-free
__global__ void moved_function_called_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_called_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::function<void(int *, const int *)> go = [](int *to, const int *from) { moved_function_called_ok<<<1, 64>>>(to, from); };
    go(a, b);
}

// [alias] A `std::function` that keeps them.
//~ assumed_race
__global__ void moved_function_kept_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_kept_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    const int *in = a;
    std::function<void()> go = [=] { moved_function_kept_bad<<<1, 64>>>(a, in); };
    go();
}

// [alias] Two arrays: a `std::function` that keeps them.
//~ race-free
__global__ void moved_function_kept_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_kept_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    const int *in = b;
    std::function<void()> go = [=] { moved_function_kept_ok<<<1, 64>>>(a, in); };
    go();
}

// [alias] A `std::function` sets a variable.
//~ assumed_race
__global__ void moved_function_sets_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_sets_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    std::function<void(int *)> set = [&](int *p) { in = p; };
    set(a);
    moved_function_sets_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: a `std::function` sets a variable.
//~ race-free
__global__ void moved_function_sets_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_sets_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    std::function<void(int *)> set = [&](int *p) { in = p; };
    set(b);
    moved_function_sets_ok<<<1, 64>>>(a, in);
}

// [alias] Functions in a vector.
//~ race
__global__ void moved_function_list_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_function_list_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<std::function<void()>> jobs;
    const int *in = a;
    jobs.push_back([=] { moved_function_list_bad<<<1, 64>>>(a, in); });
    for (auto &job : jobs) job();
}

// [alias] Two arrays: functions in a vector.
//~ race-free
__global__ void moved_function_list_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_list_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<std::function<void()>> jobs;
    const int *in = b;
    jobs.push_back([=] { moved_function_list_ok<<<1, 64>>>(a, in); });
    for (auto &job : jobs) job();
}

struct JobMovedFunctionMemberBad { std::function<void()> go; };

// [alias] A `std::function` that is a member.
//~ race
__global__ void moved_function_member_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_function_member_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    JobMovedFunctionMemberBad job;
    const int *in = a;
    job.go = [=] { moved_function_member_bad<<<1, 64>>>(a, in); };
    job.go();
}

struct JobMovedFunctionMemberOk { std::function<void()> go; };

// [alias] Two arrays: a `std::function` that is a member.
//~ race-free
__global__ void moved_function_member_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_member_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    JobMovedFunctionMemberOk job;
    const int *in = b;
    job.go = [=] { moved_function_member_ok<<<1, 64>>>(a, in); };
    job.go();
}

static void startMovedBindBad(int *to, const int *from);

// [alias] `std::bind`.
//~ assumed_race
__global__ void moved_bind_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedBindBad(int *to, const int *from) { moved_bind_bad<<<1, 64>>>(to, from); }

void run_moved_bind_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto go = std::bind(startMovedBindBad, a, a);
    go();
}

static void startMovedBindOk(int *to, const int *from);

// [alias] Two arrays: `std::bind`.
//~ race-free
__global__ void moved_bind_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedBindOk(int *to, const int *from) { moved_bind_ok<<<1, 64>>>(to, from); }

void run_moved_bind_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto go = std::bind(startMovedBindOk, a, b);
    go();
}

static void startMovedInvokeBad(int *to, const int *from);

// [alias] `std::invoke`.
//~ assumed_race
__global__ void moved_invoke_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedInvokeBad(int *to, const int *from) { moved_invoke_bad<<<1, 64>>>(to, from); }

void run_moved_invoke_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::invoke(startMovedInvokeBad, a, a);
}

static void startMovedInvokeOk(int *to, const int *from);

// [alias] Two arrays: `std::invoke`.
//~ race-free
__global__ void moved_invoke_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedInvokeOk(int *to, const int *from) { moved_invoke_ok<<<1, 64>>>(to, from); }

void run_moved_invoke_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::invoke(startMovedInvokeOk, a, b);
}

static void startMovedApplyBad(int *to, const int *from);

// [alias] `std::apply`.
//~ assumed_race
__global__ void moved_apply_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedApplyBad(int *to, const int *from) { moved_apply_bad<<<1, 64>>>(to, from); }

void run_moved_apply_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::apply(startMovedApplyBad, std::make_tuple(a, a));
}

static void startMovedApplyOk(int *to, const int *from);

// [alias] Two arrays: `std::apply`.
//~ race-free
__global__ void moved_apply_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedApplyOk(int *to, const int *from) { moved_apply_ok<<<1, 64>>>(to, from); }

void run_moved_apply_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::apply(startMovedApplyOk, std::make_tuple(a, b));
}

static void startMovedAsyncBad(int *to, const int *from);

// [alias] `std::async`.
//~ assumed_race
__global__ void moved_async_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedAsyncBad(int *to, const int *from) { moved_async_bad<<<1, 64>>>(to, from); }

void run_moved_async_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto done = std::async(startMovedAsyncBad, a, a);
    done.wait();
}

static void startMovedAsyncOk(int *to, const int *from);

// [alias] Two arrays: `std::async`.
//~ race-free
__global__ void moved_async_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedAsyncOk(int *to, const int *from) { moved_async_ok<<<1, 64>>>(to, from); }

void run_moved_async_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto done = std::async(startMovedAsyncOk, a, b);
    done.wait();
}

static void startMovedThreadBad(int *to, const int *from);

// [alias] `std::thread`.
//~ assumed_race
__global__ void moved_thread_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedThreadBad(int *to, const int *from) { moved_thread_bad<<<1, 64>>>(to, from); }

void run_moved_thread_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::thread worker(startMovedThreadBad, a, a);
    worker.join();
}

static void startMovedThreadOk(int *to, const int *from);

// [alias] Two arrays: `std::thread`.
//~ race-free
__global__ void moved_thread_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
static void startMovedThreadOk(int *to, const int *from) { moved_thread_ok<<<1, 64>>>(to, from); }

void run_moved_thread_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::thread worker(startMovedThreadOk, a, b);
    worker.join();
}

static int *sameMovedFunctionPointerBad(int *p) { return p; }

// [alias] A function by a pointer.
//~ assumed_race
__global__ void moved_function_pointer_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_pointer_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *(*pick)(int *) = sameMovedFunctionPointerBad;
    moved_function_pointer_bad<<<1, 64>>>(a, pick(a));
}

static int *sameMovedFunctionPointerOk(int *p) { return p; }

// [alias] Two arrays: a function by a pointer.
//~ race-free
__global__ void moved_function_pointer_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_pointer_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *(*pick)(int *) = sameMovedFunctionPointerOk;
    moved_function_pointer_ok<<<1, 64>>>(a, pick(b));
}

static int *sameMovedFunctionTableBad(int *p) { return p; }

// [alias] A function of a table.
//~ assumed_race
__global__ void moved_function_table_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_table_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *(*picks[])(int *) = {sameMovedFunctionTableBad, sameMovedFunctionTableBad};
    moved_function_table_bad<<<1, 64>>>(a, picks[1](a));
}

static int *sameMovedFunctionTableOk(int *p) { return p; }

// [alias] Two arrays: a function of a table.
//~ race-free
__global__ void moved_function_table_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_function_table_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *(*picks[])(int *) = {sameMovedFunctionTableOk, sameMovedFunctionTableOk};
    moved_function_table_ok<<<1, 64>>>(a, picks[1](b));
}
