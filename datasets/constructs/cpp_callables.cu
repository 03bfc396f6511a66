//--blockDim=64 --gridDim=1
// Construct: function pointers, functions as template parameters, functors and lambdas

__device__ int same(int t) { return t; }
__device__ int half(int t) { return t / 2; }

typedef int (*Place)(int);

__device__ int call(Place f, int t) { return f(t); }

template <Place F>
__device__ int apply(int t) { return F(t); }

template <class F>
__device__ int with(F f, int t) { return f(t); }

template <class F>
__device__ void each(int n, F f) { for (int i = 0; i < n; i++) f(i); }

struct Add {
    int by;
    __device__ int operator()(int t) const { return t + by; }
};

struct Mask {
    int bits;
    __device__ int operator()(int t) const { return t & bits; }
};

template <class F>
struct Held { F f; __device__ int run(int t) { return f(t); } };

// A pointer to a function.
//~ race-free
__global__ void callable_pointer_ok(int *g)
{
    int t = threadIdx.x;
    Place f = same;
    g[call(f, t)] = t;
}

// [index] It is assigned again.
//~ race
__global__ void callable_pointer_bad(int *g)
{
    int t = threadIdx.x;
    Place f = &same;
    f = half;
    g[f(t)] = t; //~ here
}

// A function as template argument.
//~ race-free
__global__ void callable_template_ok(int *g)
{
    int t = threadIdx.x;
    g[apply<same>(t)] = t;
}

// [index] The other function.
//~ race
__global__ void callable_template_bad(int *g)
{
    int t = threadIdx.x;
    g[apply<half>(t)] = t; //~ here
}

// A functor by value.
//~ race-free
__global__ void callable_functor_ok(int *g)
{
    int t = threadIdx.x;
    g[with(Add{5}, t)] = t;
}

// [index] The mask drops a bit.
//~ race
__global__ void callable_functor_bad(int *g)
{
    int t = threadIdx.x;
    Mask m;
    m.bits = 62;
    g[with(m, t)] = t; //~ here
}

// A functor in an object.
//~ race-free
__global__ void callable_held_ok(int *g)
{
    int t = threadIdx.x;
    Held<Add> h = {{1}};
    g[h.run(t)] = t;
}

// [index] A functor of another type.
//~ race
__global__ void callable_held_bad(int *g)
{
    int t = threadIdx.x;
    Held<Mask> h = {{0}};
    g[h.run(t)] = t; //~ here
}

// Captured by value: the value at the time of the lambda.
//~ race-free
__global__ void lambda_value_ok(int *g)
{
    int i = threadIdx.x;
    auto f = [=](int d) { return i + d; };
    i = 0;
    g[f(2)] = threadIdx.x;
}

// [capture] Captured by reference: the value at the time of the call.
//~ race
__global__ void lambda_reference_bad(int *g)
{
    int i = threadIdx.x;
    auto f = [&](int d) { return i + d; };
    i = 0;
    g[f(2)] = threadIdx.x; //~ here
}

// The lambda changes what it captured.
//~ race-free
__global__ void lambda_changes_ok(int *g)
{
    int i = 0;
    auto add = [&i](int d) { i += d; };
    add(threadIdx.x);
    g[i] = threadIdx.x;
}

// [capture] A copy is changed, not the variable.
//~ race
__global__ void lambda_mutable_bad(int *g)
{
    int i = 0;
    auto add = [i](int d) mutable { i += d; return i; };
    add(threadIdx.x);
    g[i] = threadIdx.x; //~ here
}

// A value made in the capture.
//~ race-free
__global__ void lambda_capture_value_ok(int *g)
{
    auto f = [i = threadIdx.x * 2](int d) { return i + d; };
    g[f(0)] = threadIdx.x;
    g[f(1)] = threadIdx.x;
}

// A lambda given to a template.
//~ race-free
__global__ void lambda_passed_ok(int *g)
{
    int t = threadIdx.x;
    each(4, [=](int i) { g[4 * t + i] = i; });
}

// [extent] It is called five times.
//~ race
__global__ void lambda_passed_bad(int *g)
{
    int t = threadIdx.x;
    each(5, [=](int i) { g[4 * t + i] = t; }); //~ here
}

// A lambda in a lambda.
//~ race-free
__global__ void lambda_nested_ok(int *g)
{
    int t = threadIdx.x;
    auto outer = [&](int a) { auto inner = [&](int b) { return a + b; }; return inner(t); };
    g[outer(1)] = t;
}

// [index] The inner one hides the thread's number.
//~ race
__global__ void lambda_nested_bad(int *g)
{
    int t = threadIdx.x;
    auto outer = [&](int a) { auto inner = [&](int t) { return a + t; }; return inner(1); };
    g[outer(1)] = t; //~ here
}

// [index] A value made in the capture: the second call meets the neighbour's first.
//~ race
__global__ void lambda_capture_value_bad(int *g)
{
    auto f = [i = threadIdx.x * 2](int d) { return i + d; };
    g[f(0)] = threadIdx.x; //~ here
    g[f(2)] = threadIdx.x; //~ here
}

// [capture] The initialiser means the outer name, the body the new one.
//~ race
__global__ void lambda_capture_own_bad(int *g)
{
    int i = threadIdx.x;
    auto f = [i = i / 2] { return i; };
    g[f()] = threadIdx.x; //~ here
}

// Twice as far.
//~ race-free
__global__ void lambda_capture_own_ok(int *g)
{
    int i = threadIdx.x;
    auto f = [i = i * 2] { return i; };
    g[f()] = threadIdx.x;
}

// [capture] The second initialiser means the outer name, too.
//~ race
__global__ void lambda_capture_second_bad(int *g)
{
    int a = 0;
    auto f = [a = threadIdx.x, b = a] { return a * b; };
    g[f()] = threadIdx.x; //~ here
}

// The first one is used.
//~ race-free
__global__ void lambda_capture_second_ok(int *g)
{
    int a = 0;
    auto f = [a = threadIdx.x, b = a] { return a + b; };
    g[f()] = threadIdx.x;
}

// [capture] A copy does not follow what becomes of the variable.
//~ race
__global__ void lambda_capture_late_bad(int *g)
{
    int a = 0;
    auto f = [b = a] { return b; };
    a = threadIdx.x;
    g[f() + 0 * a] = threadIdx.x; //~ here
}

// A reference does.
//~ race-free
__global__ void lambda_capture_late_ok(int *g)
{
    int a = 0;
    auto f = [&b = a] { return b; };
    a = threadIdx.x;
    g[f()] = threadIdx.x;
}

// [capture] And what is written through it is written there.
//~ race
__global__ void lambda_capture_written_bad(int *g)
{
    int a = threadIdx.x;
    auto f = [&b = a] { b = 0; };
    f();
    g[a] = threadIdx.x; //~ here
}

// [index] Rows of three for four threads.
//~ race
__global__ void lambda_capture_pointer_bad(int *g)
{
    int t = threadIdx.x;
    each(4, [t, p = g + 3 * threadIdx.x](int i) { p[i] = t; }); //~ here
}

// [capture] In braces.
//~ race
__global__ void lambda_capture_brace_bad(int *g)
{
    int t = threadIdx.x;
    auto f = [t, p{g + t / 2}] { *p = t; }; //~ here
    f();
}

// In braces.
//~ race-free
__global__ void lambda_capture_brace_ok(int *g)
{
    int t = threadIdx.x;
    auto f = [t, p{g + t}] { *p = t; };
    f();
}
