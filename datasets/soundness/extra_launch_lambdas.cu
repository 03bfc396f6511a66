// Extra: lambdas in host code, and what they captured

template <class F> void keep(F f);
void poke();

// Captured by reference, and one warp.
//~ race-free
__global__ void host_lambda_reference_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// [launch] The lambda sees the width as it is when it is called.
//~ race
__global__ void host_lambda_reference_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// A copy stays as it was.
//~ race-free
__global__ void host_lambda_copy_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// [launch] The copy is of two warps.
//~ race
__global__ void host_lambda_copy_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// A value made in the capture.
//~ race-free
__global__ void host_lambda_value_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// [launch] It is twice as wide.
//~ race
__global__ void host_lambda_value_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] What it does to the width counts.
//~ race
__global__ void host_lambda_writes_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// Nobody calls it.
//~ race-free
__global__ void host_lambda_writes_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// [launch] By another name.
//~ race
__global__ void host_lambda_renamed_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Through a pointer in a copy.
//~ race
__global__ void host_lambda_pointer_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] The second call gives more.
//~ race
__global__ void host_lambda_mutable_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A lambda that calls the other.
//~ race
__global__ void host_lambda_inner_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A function without a body has it, and another may call it.
//~ race
__global__ void host_lambda_given_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// What it returns.
//~ race-free
__global__ void host_lambda_result_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// [launch] What it returns.
//~ race
__global__ void host_lambda_result_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Other code calls the lambda with some object, which a function gets twice.
//~ race
__global__ void host_lambda_object_bad(int *g, const int *h)
{
    g[threadIdx.x] = h[threadIdx.x + 1]; //~ here
}

// [launch] The same by a reference.
//~ race
__global__ void host_lambda_object_reference_bad(int *g, const int *h)
{
    g[threadIdx.x] = h[threadIdx.x + 1]; //~ here
}

class LambdaUnseen;
template <class T> void host_lambda_two(T one, T other)
{
    host_lambda_object_bad<<<1, 64>>>(one.data(), other.data());
}
static void host_lambda_two_more(LambdaUnseen one, LambdaUnseen other)
{
    host_lambda_object_reference_bad<<<1, 64>>>(one.data(), other.data());
}

void launches(int *g)
{
    {
        int b = 32;
        auto f = [&] { host_lambda_reference_ok<<<1, b>>>(g); };
        f();
    }
    {
        int b = 32;
        auto f = [&] { host_lambda_reference_bad<<<1, b>>>(g); };
        b = 64;
        f();
    }
    {
        int b = 32;
        auto f = [=] { host_lambda_copy_ok<<<1, b>>>(g); };
        b = 64;
        f();
    }
    {
        int b = 64;
        auto f = [b](int *p) { host_lambda_copy_bad<<<1, b>>>(p); };
        b = 32;
        f(g);
    }
    {
        int b = 64;
        auto f = [b = b / 2, g] { host_lambda_value_ok<<<1, b>>>(g); };
        f();
    }
    {
        int b = 32;
        auto f = [b = b * 2, g] { host_lambda_value_bad<<<1, b>>>(g); };
        f();
    }
    {
        int b = 32;
        auto f = [&] { b = 64; };
        f();
        host_lambda_writes_bad<<<1, b>>>(g);
    }
    {
        int b = 32;
        auto f = [&] { b = 64; };
        (void)f;
        host_lambda_writes_ok<<<1, b>>>(g);
    }
    {
        int b = 32;
        auto f = [&r = b] { r = 64; };
        f();
        host_lambda_renamed_bad<<<1, b>>>(g);
    }
    {
        int b = 32; int *p = &b;
        auto f = [q = p] { *q = 64; };
        f();
        host_lambda_pointer_bad<<<1, b>>>(g);
    }
    {
        int b = 32;
        auto f = [b]() mutable { b *= 2; return b; };
        int first = f();
        host_lambda_mutable_bad<<<1, f()>>>(g);
    }
    {
        int b = 32;
        auto f = [&] { b = 64; };
        auto h = [f] { f(); };
        h(); host_lambda_inner_bad<<<1, b>>>(g);
    }
    {
        int b = 32;
        auto f = [&] { b = 64; };
        keep(f); b = 32; poke();
        host_lambda_given_bad<<<1, b>>>(g);
    }
    {
        int b = 16;
        auto f = [&](int k) { return b * k; };
        host_lambda_result_ok<<<1, f(2)>>>(g);
    }
    {
        int b = 16;
        auto f = [&](int k) { return b * k; };
        host_lambda_result_bad<<<1, f(3)>>>(g);
    }
    {
        keep([](LambdaUnseen some) { host_lambda_two(some, some); });
        keep([](const LambdaUnseen &some) { host_lambda_two_more(some, some); });
    }
}
