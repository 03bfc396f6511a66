//--blockDim=64 --gridDim=1
// Extra: when objects begin and end: on every way out of a scope, for temporaries, parameters, members and elements

struct Leaves {
    int *p;
    int at;
    __device__ Leaves(int *q, int a) : p(q), at(a) {}
    __device__ ~Leaves() { p[at] = threadIdx.x; } //~ here
};

struct Waits { __device__ Waits() {} __device__ ~Waits() { __syncthreads(); } };
struct WaitsFirst { Leaves l; Waits w; __device__ WaitsFirst(int *q, int a) : l(q, a) {} };
struct LeavesFirst { Waits w; Leaves l; __device__ LeavesFirst(int *q, int a) : l(q, a) {} };
struct WaitsAtCopy { int v; __device__ WaitsAtCopy(int t) : v(t) {} __device__ WaitsAtCopy(const WaitsAtCopy &o) : v(o.v) { __syncthreads(); } };
struct Counts { int *n; __device__ Counts(int *c) : n(c) {} __device__ ~Counts() { *n += 1; } };
struct Half { int v; __device__ Half(int t) : v(t) {} __device__ Half(const Half &o) : v(o.v / 2) {} };
struct HalfInside { Half h; int k; __device__ HalfInside(int t) : h(t), k(t) {} };
struct HalfBelow : Half { __device__ HalfBelow(int t) : Half(t) {} };
struct Moved { int v; __device__ Moved(int t) : v(t) {} __device__ Moved(const Moved &o) : v(o.v) {} __device__ Moved(Moved &&o) : v(o.v) { o.v = 0; } };
struct Changeable { int v; __device__ Changeable(int t) : v(t) {} __device__ Changeable(const Changeable &o) : v(o.v) {} __device__ Changeable(Changeable &o) : v(o.v / 2) {} };
struct Renamed { typedef Renamed Self; int v; __device__ Renamed(int t) : v(t) {} __device__ Renamed(const Self &o) : v(o.v / 2) {} };
struct Forgets { int v; int k = 0; __device__ Forgets(int t) : v(t), k(t) {} __device__ Forgets(const Forgets &o) : v(o.v) {} };
struct Starts { int v; __device__ Starts() : v(threadIdx.x / 2) {} };
struct StartsInside { Starts s[2]; };
template <class T> struct Guard { T *p; int at; __device__ Guard(T *q, int a) : p(q), at(a) {} __device__ ~Guard(); };
template <class T> __device__ Guard<T>::~Guard() { p[at] = threadIdx.x; } //~ here

__device__ int halved(Half h) { return h.v; }
__device__ const Half &same(const Half &h) { return h; }
__device__ Leaves made(int *p, int at) { return Leaves(p, at); }
__device__ int looks(const Leaves &l) { return l.at; }
__device__ int by_value(Leaves l) { return l.at; }
__device__ int early(int *g, int n) { Leaves l(g, 0); if (n > 0) return 1; return 2; }
__device__ Half local_result(int t) { Half h(t); return h; }
template <class F> __device__ int applied(const F &f) { return f(); }

// [break] Only the round that breaks writes element 0.
//~ race
__global__ void life_break_bad(int *g)
{
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        Leaves l(g, i == 2 ? 0 : 64 * i + t + 1);
        if (i == 2) break;
    }
}

// Each its own in all rounds.
//~ race-free
__global__ void life_break_ok(int *g)
{
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        Leaves l(g, 64 * i + t);
        if (i == 2) break;
    }
}

// [continue] The object ends before the next round, also when the rest of this one is left out.
//~ race
__global__ void life_continue_bad(int *g)
{
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        Leaves l(g, i == 2 ? 0 : 64 * i + t + 1);
        if (i == 2) continue;
        g[1000 + 64 * i + t] = t;
    }
}

// [return] It ends when the kernel is left early.
//~ race
__global__ void life_return_bad(int *g)
{
    int t = threadIdx.x;
    Leaves l(g, t / 2);
    if (g != nullptr) return;
    l.at = t;
}

// What it writes is changed before the return.
//~ race-free
__global__ void life_return_ok(int *g)
{
    int t = threadIdx.x;
    Leaves l(g, t / 2);
    l.at = t;
    if (t < 32) return;
    l.at = t;
}

// [return] Of a function, with its result computed before.
//~ race
__global__ void life_early_bad(int *g)
{
    g[64 + threadIdx.x] = early(g, threadIdx.x);
}

// [scope] The barrier comes before the end of the other object: the last one made ends first.
//~ race
__global__ void life_order_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    {
        Leaves l(s, t);
        Waits w;
    }
    out[t] = s[63 - t]; //~ here
}

// The object ends, then all wait.
//~ race-free
__global__ void life_order_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    {
        Waits w;
        Leaves l(s, t);
    }
    out[t] = s[63 - t];
}

// [member] The last member ends first: it waits before the other writes.
//~ race
__global__ void life_members_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    {
        WaitsFirst w(s, t);
    }
    out[t] = s[63 - t]; //~ here
}

// The other way round.
//~ race-free
__global__ void life_members_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    {
        LeavesFirst w(s, t);
    }
    out[t] = s[63 - t];
}

// [guard] The object that waits ends with the kernel, not in front of the read.
//~ race
__global__ void life_guard_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Waits w;
    s[t] = t; //~ here
    out[t] = s[63 - t]; //~ here
}

// A scope of its own.
//~ race-free
__global__ void life_guard_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    {
        Waits w;
        s[t] = t;
    }
    out[t] = s[63 - t];
}

// [guard] Once in every round, but the read is in the same.
//~ race
__global__ void life_rounds_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        Waits w;
        s[t] = i; //~ here
        out[t] = s[63 - t]; //~ here
    }
}

// Two scopes in every round.
//~ race-free
__global__ void life_rounds_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        {
            Waits w;
            s[t] = i;
        }
        {
            Waits w;
            out[t] = s[63 - t];
        }
    }
}

// [loop] Three rounds count three times.
//~ race
__global__ void life_counted_bad(int *g)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        Counts c(&n);
    }
    g[threadIdx.x * (n - 3)] = threadIdx.x; //~ here
}

// [loop] The round that breaks counts as well.
//~ race
__global__ void life_counted_break_bad(int *g)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        Counts c(&n);
        if (i == 1) break;
    }
    g[threadIdx.x * (n - 2)] = threadIdx.x; //~ here
}

// [loop] The object of the first clause lives until the loop has ended.
//~ race
__global__ void life_first_clause_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (Leaves l(s, t + 1); l.at > t; l.at--) {
        __syncthreads();
    }
    out[t] = s[63 - t]; //~ here
}

// [switch] One way ends an object that the other has not.
//~ race
__global__ void life_switch_bad(int *g)
{
    int t = threadIdx.x;
    switch (t & 1) {
    case 0: {
        Leaves l(g, 0);
        break;
    }
    default: {
        Leaves l(g, t);
    }
    }
}

// [temporary] A reference keeps it until after the barrier.
//~ race
__global__ void life_kept_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    const Leaves &l = made(s, t);
    __syncthreads();
    out[t] = s[63 - t]; //~ here
}

// It ends with its statement.
//~ race-free
__global__ void life_temporary_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int at = looks(made(s, t));
    __syncthreads();
    out[t] = s[63 - at];
}

// [temporary] It ends after what it is used for.
//~ race
__global__ void life_temporary_bad(int *g)
{
    int t = threadIdx.x;
    g[t + 1 + looks(made(g, 0))] = t;
}

// That of a condition ends before what hangs on it.
//~ race-free
__global__ void life_condition_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (looks(Leaves(s, t)) < 64) {
        __syncthreads();
        out[t] = s[63 - t];
    }
}

// [temporary] Whether it is made depends on what stands before it: not followed.
//~ fn_race
__global__ void life_short_circuit_bad(int *g)
{
    int t = threadIdx.x;
    if (t < 32 && looks(Leaves(g, 0)) == 0) g[t + 1] = t;
}

// [parameter] It ends with the call.
//~ race
__global__ void life_parameter_bad(int *g)
{
    by_value(Leaves(g, 0));
}

// [array] The second element writes where all do.
//~ race
__global__ void life_array_bad(int *g)
{
    int t = threadIdx.x;
    Leaves l[2] = {Leaves(g, t + 1), Leaves(g, 0)};
}

// Each element its own.
//~ race-free
__global__ void life_array_ok(int *g)
{
    int t = threadIdx.x;
    Leaves l[2] = {Leaves(g, t), Leaves(g, t + 64)};
}

// [array] The constructor of elements halves.
//~ race
__global__ void life_start_array_bad(int *g)
{
    Starts s[4];
    g[s[3].v] = threadIdx.x; //~ here
}

// [array] Of a member as well.
//~ race
__global__ void life_start_member_bad(int *g)
{
    StartsInside i;
    g[i.s[1].v] = threadIdx.x; //~ here
}

// [template] A destructor that is defined outside the class.
//~ race
__global__ void life_template_bad(int *g)
{
    Guard<int> l(g, 0);
}

// Each its own.
//~ race-free
__global__ void life_template_ok(int *g)
{
    Guard<int> l(g, threadIdx.x);
}

// [copy] The member's copy constructor halves.
//~ race
__global__ void life_copy_member_bad(int *g)
{
    HalfInside a(threadIdx.x);
    HalfInside b = a;
    g[b.h.v] = threadIdx.x; //~ here
}

// The other member is copied as it is.
//~ race-free
__global__ void life_copy_member_ok(int *g)
{
    HalfInside a(threadIdx.x);
    HalfInside b = a;
    g[b.k] = threadIdx.x;
}

// [copy] That of the base.
//~ race
__global__ void life_copy_base_bad(int *g)
{
    HalfBelow a(threadIdx.x);
    HalfBelow b = a;
    g[b.v] = threadIdx.x; //~ here
}

// [copy] One of two objects is copied.
//~ race
__global__ void life_conditional_bad(int *g, int c)
{
    Half a(threadIdx.x), b(threadIdx.x);
    Half d = c ? a : b;
    g[d.v] = threadIdx.x; //~ here
}

// One of two is made in place.
//~ race-free
__global__ void life_conditional_ok(int *g, int c)
{
    Half d = c ? Half(threadIdx.x) : Half(threadIdx.x + 64);
    g[d.v] = threadIdx.x;
}

// [copy] One arm is copied, the other is not: elements meet.
//~ race
__global__ void life_conditional_mixed_bad(int *g)
{
    int t = threadIdx.x;
    Half a(t);
    Half d = t < 32 ? a : Half(t - 32);
    g[d.v] = t; //~ here
}

// [copy] Of an argument, of what a function gives as a reference.
//~ race
__global__ void life_copy_argument_bad(int *g)
{
    Half a(threadIdx.x);
    g[halved(same(a))] = threadIdx.x; //~ here
}

// A reference to a reference.
//~ race-free
__global__ void life_copy_argument_ok(int *g)
{
    Half a(threadIdx.x);
    g[same(same(a)).v] = threadIdx.x;
}

// [copy] Of the variable of a loop over elements.
//~ race
__global__ void life_copy_range_bad(int *g)
{
    Half a[2] = {Half(threadIdx.x), Half(threadIdx.x + 64)};
    for (Half h : a) g[h.v] = threadIdx.x; //~ here
}

// A reference to each.
//~ race-free
__global__ void life_copy_range_ok(int *g)
{
    Half a[2] = {Half(threadIdx.x), Half(threadIdx.x + 64)};
    for (Half &h : a) g[h.v] = threadIdx.x;
}

// [move] What is moved from is 0.
//~ race
__global__ void life_moved_from_bad(int *g)
{
    Moved a(threadIdx.x);
    Moved b = static_cast<Moved &&>(a);
    g[a.v] = threadIdx.x; //~ here
}

// What is copied stays.
//~ race-free
__global__ void life_copied_from_ok(int *g)
{
    Moved a(threadIdx.x);
    Moved b = a;
    g[a.v] = threadIdx.x;
}

// [copy] Of what may be changed, another constructor.
//~ race
__global__ void life_changeable_bad(int *g)
{
    Changeable a(threadIdx.x);
    Changeable b = a;
    g[b.v] = threadIdx.x; //~ here
}

// Of what may not.
//~ race-free
__global__ void life_constant_ok(int *g)
{
    const Changeable a(threadIdx.x);
    Changeable b = a;
    g[b.v] = threadIdx.x;
}

// [copy] The class has another name.
//~ race
__global__ void life_renamed_bad(int *g)
{
    Renamed a(threadIdx.x);
    Renamed b = a;
    g[b.v] = threadIdx.x; //~ here
}

// [copy] A member that is not copied has the value that the class gives it.
//~ race
__global__ void life_forgotten_bad(int *g)
{
    Forgets a(threadIdx.x);
    Forgets b = a;
    g[b.k] = threadIdx.x; //~ here
}

// [copy] A copy waits, a reference does not.
//~ race
__global__ void life_waiting_copy_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    WaitsAtCopy a(t);
    s[t] = t; //~ here
    WaitsAtCopy &b = a;
    out[t] = s[63 - b.v]; //~ here
}

// All wait in the copy constructor.
//~ race-free
__global__ void life_waiting_copy_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    WaitsAtCopy a(t);
    s[t] = t;
    WaitsAtCopy b = a;
    out[t] = s[63 - b.v];
}

// [copy] What is made in place is not copied: nobody waits.
//~ race
__global__ void life_waiting_made_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    WaitsAtCopy b = WaitsAtCopy(t);
    out[t] = s[63 - b.v]; //~ here
}

// A closure is handed on by reference: it holds one copy.
//~ race-free
__global__ void life_closure_ok(int *g)
{
    Half a(2 * threadIdx.x);
    auto f = [a] { return a.v; };
    g[applied(f)] = threadIdx.x;
}

// Whether the copy of a local variable for a result is left out is up to the compiler: it races where it is made.
//~ unknown
__global__ void life_local_result_ok(int *g)
{
    g[local_result(threadIdx.x).v] = threadIdx.x;
}
