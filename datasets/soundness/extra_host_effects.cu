// Soundness: what host code changes between a condition and a launch without a call that tells

struct EffectShift { int n; EffectShift &operator<<(int x) { n = x; return *this; } };
struct EffectIndex { int n; int &operator[](int) { return n; } };
struct EffectCall { int n; int &operator()(int) { return n; } };
struct EffectThrough { int *p; int &operator[](int) { return *p; } };
struct EffectBool { int n; operator bool() { n = 128; return true; } };
struct EffectMinus { int n; EffectMinus &operator-() { n = 128; return *this; } };
struct EffectRange { int n; int *begin() { n = 128; return &n; } int *end() { return &n; } };
struct EffectHolds { int &r; EffectHolds(int &x) : r(x) {} void up() { r = 128; } };
struct EffectMakes { EffectMakes(int &x) { x = 128; } };
struct EffectUnion { union { int i; int j; }; };
struct EffectArray { int *b[2]; };
struct EffectView { int *data; int n; int &operator[](int i) { return data[i]; } };

template <class... A> void effect_all(A &...a) { ((a = 128), ...); }
void effect_takes(EffectMakes) {}

// [hidden-change] `<<` of a class sets the member.
//~ race
__global__ void effect_shift_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] What `[]` returns is the member.
//~ race
__global__ void effect_index_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] What `()` returns is the member.
//~ race
__global__ void effect_call_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] What `[]` returns is the variable that a pointer leads to.
//~ race
__global__ void effect_through_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] The conversion sets the member.
//~ race
__global__ void effect_bool_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] So does a sign.
//~ race
__global__ void effect_minus_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] So does `begin`.
//~ race
__global__ void effect_range_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] The object refers to the variable.
//~ race
__global__ void effect_holds_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] A constructor converts the argument, and writes to it.
//~ race
__global__ void effect_makes_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] One that `new` calls.
//~ race
__global__ void effect_heap_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] A fold over references.
//~ race
__global__ void effect_fold_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] Both members are the same bytes.
//~ race
__global__ void effect_union_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] Of a type without a name.
//~ race
__global__ void effect_unnamed_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] A kernel writes what host code reads.
//~ race
__global__ void effect_kernel_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// [hidden-change] The function of the derived class is meant.
//~ race
__global__ void effect_virtual_bad(int *p) { p[threadIdx.x % 64] = threadIdx.x; } //~ here
// What `[]` returns is behind the pointer.
//~ race-free
__global__ void effect_view_ok(int *p) { p[threadIdx.x % 64] = threadIdx.x; }
// A constant.
//~ race-free
__global__ void effect_const_ok(int *p) { p[threadIdx.x % 64] = threadIdx.x; }
// Nothing is called.
//~ race-free
__global__ void effect_none_ok(int *p) { p[threadIdx.x % 64] = threadIdx.x; }
// One thread writes it.
//~ race-free
__global__ void effect_writes_ok(int *n) { if (threadIdx.x == 0) *n = 128; }

// [alias] Both pointers of an array that is a member.
//~ race
__global__ void effect_members_bad(EffectArray s)
{
    s.b[0][threadIdx.x] = s.b[1][63 - threadIdx.x] + threadIdx.x; //~ here
}

// [alias] Copied from another struct.
//~ race
__global__ void effect_copied_bad(EffectArray s, EffectArray t)
{
    s.b[0][threadIdx.x] = t.b[0][63 - threadIdx.x] + threadIdx.x; //~ here
}

// Two allocations.
//~ race-free
__global__ void effect_members_ok(EffectArray s)
{
    s.b[0][threadIdx.x] = s.b[1][63 - threadIdx.x] + threadIdx.x;
}

struct EffectBase
{
    int n;
    virtual void up() {}
    void go(int *d)
    {
        if (n <= 64) {
            up();
            effect_virtual_bad<<<1, n>>>(d);
        }
    }
};
struct EffectDerived : EffectBase { void up() { n = 128; } };

void effect_operators(int *d, int count)
{
    EffectShift shift = {64};
    shift << 1 << 128;
    effect_shift_bad<<<1, shift.n>>>(d);
    EffectIndex index = {64};
    index[0] = 128;
    effect_index_bad<<<1, index.n>>>(d);
    EffectCall call = {64};
    call(0) = 128;
    effect_call_bad<<<1, call.n>>>(d);
    int n = count;
    EffectThrough through{&n};
    if (n <= 64) {
        through[0] = 128;
        effect_through_bad<<<1, n>>>(d);
    }
    EffectBool boolean = {count};
    if (boolean.n <= 64) {
        if (boolean) effect_bool_bad<<<1, boolean.n>>>(d);
    }
    EffectMinus minus = {count};
    if (minus.n <= 64) {
        -minus;
        effect_minus_bad<<<1, minus.n>>>(d);
    }
    EffectRange range = {count};
    if (range.n <= 64) {
        for (int x : range) count += x;
        effect_range_bad<<<1, range.n>>>(d);
    }
    EffectView view = {d, 64};
    view[0] = 128;
    effect_view_ok<<<1, view.n>>>(d);
}

void effect_objects(int *d, int count)
{
    int n = count;
    EffectHolds holds(n);
    if (n <= 64) {
        holds.up();
        effect_holds_bad<<<1, n>>>(d);
    }
    int m = count;
    if (m <= 64) {
        effect_takes(m);
        effect_makes_bad<<<1, m>>>(d);
    }
    int o = count;
    if (o <= 64) {
        EffectMakes *made = new EffectMakes(o);
        effect_heap_bad<<<1, o>>>(d);
    }
    int q = count;
    if (q <= 64) {
        effect_all(q);
        effect_fold_bad<<<1, q>>>(d);
    }
    const int r = 64;
    effect_const_ok<<<1, r>>>(d);
    int s = count;
    if (s <= 64) effect_none_ok<<<1, s>>>(d);
}

void effect_bytes(int *d)
{
    EffectUnion one;
    one.i = 64;
    one.j = 128;
    effect_union_bad<<<1, one.i>>>(d);
    union { int i; int j; } two;
    two.i = 64;
    two.j = 128;
    effect_unnamed_bad<<<1, two.i>>>(d);
    int *n;
    cudaMallocManaged(&n, sizeof(int));
    *n = 64;
    effect_writes_ok<<<1, 32>>>(n);
    cudaDeviceSynchronize();
    effect_kernel_bad<<<1, *n>>>(d);
    EffectArray both = {{d, d}}, copy;
    effect_members_bad<<<1, 64>>>(both);
    copy = both;
    effect_copied_bad<<<1, 64>>>(both, copy);
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    EffectArray apart = {{a, b}};
    effect_members_ok<<<1, 64>>>(apart);
}

int main(int argc, char **argv)
{
    int *d;
    cudaMalloc(&d, 4096);
    EffectDerived derived;
    derived.n = argc;
    derived.go(d);
}
