//--blockDim=64 --gridDim=1
// Construct: parameter packs: expansions, folds, sizeof...

template <class... A> __device__ int sum(A... a) { return (0 + ... + a); }
template <class... A> __device__ int from_right(A... a) { return (a - ...); }
template <class... A> __device__ int from_left(A... a) { return (... - a); }
template <class... A> __device__ int rest_from_right(A... a) { return (a - ... - 1); }
template <class... A> __device__ bool every(A... a) { return (... && a); }
template <class... A> __device__ bool any(A... a) { return (... || a); }
template <class... A> __device__ void store(int *g, A... a) { ((g[a] = a), ...); } //~ here
template <class... A> __device__ void clear(A &...a) { ((a = 0), ...); }
template <class... A> __device__ void clear_copies(A... a) { ((a = 0), ...); }
template <class... A> __device__ int last(A... a) { int r = 0; ((r = a), ...); return r; }
template <class... A> __device__ int second(A... a) { int all[] = {a...}; return all[1]; }
template <class... A> __device__ int doubled(A... a) { return sum(2 * a...); }
template <class... A> __device__ int wide(A... a) { return (0 + ... + (int)sizeof(A)); }
template <int... N> __device__ int values() { return (N + ... + 0); }
__device__ int chain() { return 0; }
template <class T, class... A> __device__ int chain(T t, A... a) { return t - chain(a...); }
__device__ int pick(int) { return 0; }
template <class... A> __device__ int pick(A...) { return 1; }
template <class... A> __device__ void assign(A &...a) { (... = a); }
template <class F, class... A> __device__ void call(F f, A... a) { f(a...); }
__device__ bool step(int &n) { n++; return n < 2; }
template <class... A> __device__ bool steps(A &...a) { return (step(a) && ...); }
template <class... A> struct Several { int v; };
template <class T> __device__ int counted(T) { return 2; }
template <class... A> __device__ int counted(Several<A...>) { return 1; }
struct Halves { int v; __device__ Halves(int t) : v(t) {} __device__ Halves(const Halves &o) : v(o.v / 2) {} };
template <class... A> __device__ int copied(A... a) { return (0 + ... + a.v); }
template <class... A> __device__ int referred(const A &...a) { return (0 + ... + a.v); }

// The sum is t + 3.
//~ race-free
__global__ void pack_sum_ok(int *g)
{
    int t = threadIdx.x;
    g[sum(t, 1, 2)] = t;
}

// [fold] The sum is 1.
//~ race
__global__ void pack_sum_bad(int *g)
{
    int t = threadIdx.x;
    g[sum(t, 1, -t)] = t; //~ here
}

// t - (1 - t) is 2t - 1.
//~ race-free
__global__ void pack_right_ok(int *g)
{
    int t = threadIdx.x;
    g[from_right(t, 1, t) + 1] = t;
}

// [fold] t - 1 - t is always -1.
//~ race
__global__ void pack_left_bad(int *g)
{
    int t = threadIdx.x;
    g[from_left(t, 1, t) + 1] = t; //~ here
}

// [fold] t - (1 - (-t - 1)) is always -2.
//~ race
__global__ void pack_rest_bad(int *g)
{
    int t = threadIdx.x;
    g[rest_from_right(t, 1, -t) + 2] = t; //~ here
}

// Only one thread holds both.
//~ race-free
__global__ void pack_every_ok(int *g)
{
    int t = threadIdx.x;
    if (every(t > 3, t < 5)) g[0] = t;
}

// [fold] Many threads hold one.
//~ race
__global__ void pack_any_bad(int *g)
{
    int t = threadIdx.x;
    if (any(t > 3, t < 5)) g[0] = t; //~ here
}

// Nothing is true of nothing.
//~ race-free
__global__ void pack_empty_ok(int *g)
{
    if (any()) g[0] = threadIdx.x;
}

// [fold] Everything is true of nothing.
//~ race
__global__ void pack_empty_bad(int *g)
{
    if (every()) g[0] = threadIdx.x; //~ here
}

// Three elements of each.
//~ race-free
__global__ void pack_store_ok(int *g)
{
    int t = threadIdx.x;
    store(g, t, t + 64, t + 128);
}

// [fold] The third is the same for all.
//~ race
__global__ void pack_store_bad(int *g)
{
    int t = threadIdx.x;
    store(g, t + 1, t + 65, t / 64);
    g[0] = t; //~ here
}

// The copies are cleared.
//~ race-free
__global__ void pack_copies_ok(int *g)
{
    int t = threadIdx.x, u = 64 + t;
    clear_copies(t, u);
    g[t] = u;
}

// [reference] The variables are cleared.
//~ race
__global__ void pack_references_bad(int *g)
{
    int t = threadIdx.x, u = 64 + t;
    clear(u, t);
    g[t] = threadIdx.x; //~ here
}

// [order] The last one stays.
//~ race
__global__ void pack_last_bad(int *g)
{
    int t = threadIdx.x;
    g[last(t, 2 * t, 7)] = t; //~ here
}

// It is the last one.
//~ race-free
__global__ void pack_last_ok(int *g)
{
    int t = threadIdx.x;
    g[last(7, 2, t)] = t;
}

// An array of them.
//~ race-free
__global__ void pack_array_ok(int *g)
{
    int t = threadIdx.x;
    g[second(5, t, 6)] = t;
}

// [expansion] The second is 6.
//~ race
__global__ void pack_array_bad(int *g)
{
    int t = threadIdx.x;
    g[second(t, 6, t)] = t; //~ here
}

// [expansion] Each is doubled: 2t - 2t.
//~ race
__global__ void pack_doubled_bad(int *g)
{
    int t = threadIdx.x;
    g[doubled(t, -t)] = t; //~ here
}

// [type] The sizes are 4 and 8.
//~ race
__global__ void pack_sizes_bad(int *g)
{
    int t = threadIdx.x;
    g[t * (wide(t, 1.0) - 12)] = t; //~ here
}

// [value] They are no types.
//~ race
__global__ void pack_values_bad(int *g)
{
    int t = threadIdx.x;
    g[t * values<3, -3>()] = t; //~ here
}

// Their sum is 6.
//~ race-free
__global__ void pack_values_ok(int *g)
{
    int t = threadIdx.x;
    g[t * values<3, 2, 1>()] = t;
}

// [value] There are none.
//~ race
__global__ void pack_no_values_bad(int *g)
{
    int t = threadIdx.x;
    g[t * values<>()] = t; //~ here
}

// t - (1 - t)
//~ race-free
__global__ void pack_chain_ok(int *g)
{
    int t = threadIdx.x;
    g[chain(t, 1, t) + 1] = t;
}

// [recursion] t - (1 - (-t))
//~ race
__global__ void pack_chain_bad(int *g)
{
    int t = threadIdx.x;
    g[chain(t, 1, -t) + 1] = t; //~ here
}

// [overload] The function that is no template.
//~ race
__global__ void pack_pick_bad(int *g)
{
    int t = threadIdx.x;
    g[t * pick(t)] = t; //~ here
}

// The other one.
//~ race-free
__global__ void pack_pick_ok(int *g)
{
    int t = threadIdx.x;
    g[t * pick(t, t)] = t;
}

// [assignment] All become the last one.
//~ race
__global__ void pack_assign_bad(int *g)
{
    int t = threadIdx.x, u = 5, v = 9;
    assign(t, u, v);
    g[t] = threadIdx.x; //~ here
}

// [closure] It is handed on.
//~ race
__global__ void pack_call_bad(int *g)
{
    int t = threadIdx.x;
    call([=](int a, int b) { g[a + b] = t; }, t, -t); //~ here
}

// Its own element.
//~ race-free
__global__ void pack_call_ok(int *g)
{
    int t = threadIdx.x;
    call([=](int a, int b) { g[a + b] = t; }, t, 1);
}

// [short-circuit] The second is not stepped.
//~ race
__global__ void pack_steps_bad(int *g)
{
    int t = threadIdx.x, m = 1, n = 0;
    steps(m, n);
    g[t * n] = t; //~ here
}

// Both are.
//~ race-free
__global__ void pack_steps_ok(int *g)
{
    int t = threadIdx.x, m = 0, n = 0;
    steps(m, n);
    g[t * n] = t;
}

// [copy] Each argument is copied, which halves.
//~ race
__global__ void pack_copied_bad(int *g)
{
    Halves a(threadIdx.x), b(0);
    g[copied(a, b)] = threadIdx.x; //~ here
}

// References are not.
//~ race-free
__global__ void pack_referred_ok(int *g)
{
    Halves a(threadIdx.x), b(0);
    g[referred(a, b)] = threadIdx.x;
}

// [overload] What the argument is tells the pack.
//~ race
__global__ void pack_of_class_bad(int *g)
{
    int t = threadIdx.x;
    Several<int, char> several = {3};
    g[t * (counted(several) - 1)] = t; //~ here
}
