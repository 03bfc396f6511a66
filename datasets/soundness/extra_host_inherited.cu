// Extra: functions of host code that are reached by inheritance, by making and ending objects, by arguments of templates

#include <memory>
#include <vector>

// [launch] A member function of a base, called for the derived object with more.
//~ race
__global__ void inherit_member_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] With as much.
//~ race-free
__global__ void inherit_member_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [launch] A reference to the base: not the function that hides the one of the base.
//~ race
__global__ void inherit_hidden_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] It hides it where the derived class is named.
//~ race-free
__global__ void inherit_hidden_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [launch] What the constructor of the base got.
//~ race
__global__ void inherit_field_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] The same of one iteration.
//~ race-free
__global__ void inherit_field_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [launch] The function of the derived class is behind the pointer.
//~ race
__global__ void inherit_virtual_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] A variable has its own class.
//~ race-free
__global__ void inherit_virtual_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [launch] Both functions are called by the name.
//~ race
__global__ void inherit_using_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] The base is made with more.
//~ race
__global__ void inherit_base_constructor_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] The base is made with as much.
//~ race-free
__global__ void inherit_base_constructor_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [launch] Made on the heap.
//~ race
__global__ void made_new_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] Made on the heap with as much.
//~ race-free
__global__ void made_new_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [launch] The library makes it.
//~ race
__global__ void made_unique_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] A container makes it.
//~ race
__global__ void made_element_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] The argument is converted.
//~ race
__global__ void made_conversion_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] Elements of an array are made.
//~ race
__global__ void made_array_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] The initialiser of a member counts.
//~ race
__global__ void made_initialiser_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] It only reads.
//~ race-free
__global__ void made_initialiser_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [launch] What is given to `new` changes the count.
//~ race
__global__ void made_operand_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] It only reads.
//~ race-free
__global__ void made_operand_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [launch] What is deleted changes the count.
//~ race
__global__ void made_deleted_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [launch] A function as an argument of a template.
//~ race
__global__ void made_argument_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [hidden-change] A function that is not known writes through a member.
//~ race
__global__ void reach_method_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [hidden-change] The member leads elsewhere.
//~ race-free
__global__ void reach_method_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [hidden-change] The destructor writes through a member.
//~ race
__global__ void reach_destructor_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [hidden-change] It frees what a member leads to.
//~ race-free
__global__ void reach_destructor_ok(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x;
}

// [hidden-change] The destructor runs on the way out.
//~ race
__global__ void reach_return_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [hidden-change] An assignment that is not known.
//~ race
__global__ void reach_operator_bad(int *p, int n)
{
    if ((int)threadIdx.x < n) p[0] = threadIdx.x; //~ here
}

// [hidden-change] An inherited function makes both pointers the same.
//~ race
__global__ void reach_swapped_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

struct MemberBaseBad { void go(int *d, int n) { inherit_member_bad<<<1, 32>>>(d, n); } };
struct MemberDerivedBad : MemberBaseBad {};
void inherit_member_bad_calls(int *d)
{
    MemberBaseBad base;
    base.go(d, 1);
    MemberDerivedBad derived;
    derived.go(d, 5);
}

struct MemberBaseOk { void go(int *d, int n) { inherit_member_ok<<<1, 32>>>(d, n); } };
struct MemberDerivedOk : MemberBaseOk {};
void inherit_member_ok_calls(int *d)
{
    MemberBaseOk base;
    base.go(d, 1);
    MemberDerivedOk derived;
    derived.go(d, 1);
}

struct HiddenBaseBad { void go(int *d, int n) { inherit_hidden_bad<<<1, 32>>>(d, n); } };
struct HiddenDerivedBad : HiddenBaseBad { void go(int *, int) {} };
void inherit_hidden_bad_calls(int *d)
{
    HiddenBaseBad base;
    base.go(d, 1);
    HiddenDerivedBad derived;
    HiddenBaseBad &same = derived;
    same.go(d, 5);
}

struct HiddenBaseOk { void go(int *d, int n) { inherit_hidden_ok<<<1, 32>>>(d, n); } };
struct HiddenDerivedOk : HiddenBaseOk { void go(int *, int) {} };
void inherit_hidden_ok_calls(int *d)
{
    HiddenBaseOk base;
    base.go(d, 1);
    HiddenDerivedOk derived;
    derived.go(d, 5);
}

struct FieldBaseBad
{
    int n;
    FieldBaseBad(int m) : n(m) {}
    void go(int *d) { inherit_field_bad<<<1, 32>>>(d, n); }
};
struct FieldDerivedBad : FieldBaseBad { FieldDerivedBad(int m) : FieldBaseBad(4 * m) {} };
void inherit_field_bad_calls(int *d)
{
    FieldBaseBad base(1);
    base.go(d);
    FieldDerivedBad derived(1);
    derived.go(d);
}

struct FieldBaseOk
{
    int n;
    void set(int m) { n = m; }
    void go(int *d) { inherit_field_ok<<<1, 32>>>(d, n); }
};
struct FieldDerivedOk : FieldBaseOk {};
void inherit_field_ok_calls(int *d)
{
    FieldDerivedOk derived;
    derived.n = 5;
    derived.set(1);
    derived.go(d);
}

struct VirtualBaseBad { virtual void go(int *d, int n) = 0; };
struct VirtualDerivedBad : VirtualBaseBad
{
    void go(int *d, int n) override { inherit_virtual_bad<<<1, 32>>>(d, n); }
};
struct VirtualLastBad : VirtualDerivedBad
{
    void go(int *d, int n) override { inherit_virtual_bad<<<1, 32>>>(d, 5 * n); }
};
void inherit_virtual_bad_through(VirtualDerivedBad &object, int *d) { object.go(d, 1); }
void inherit_virtual_bad_calls(int *d)
{
    VirtualDerivedBad derived;
    derived.go(d, 1);
    VirtualDerivedBad *last = new VirtualLastBad;
    inherit_virtual_bad_through(*last, d);
}

struct VirtualBaseOk
{
    virtual int count() { return 5; }
    void go(int *d) { inherit_virtual_ok<<<1, 32>>>(d, count()); }
};
struct VirtualDerivedOk : VirtualBaseOk { int count() override { return 1; } };
void inherit_virtual_ok_calls(int *d)
{
    VirtualDerivedOk derived;
    derived.go(d);
}

struct UsingBase { void go(int *d, int n) { inherit_using_bad<<<1, 32>>>(d, n); } };
struct UsingDerived : UsingBase
{
    using UsingBase::go;
    void go(int *, float) {}
};
void inherit_using_calls(int *d)
{
    UsingBase base;
    base.go(d, 1);
    UsingDerived derived;
    derived.go(d, 5);
}

struct MakesBaseBad { MakesBaseBad(int *d, int n) { inherit_base_constructor_bad<<<1, 32>>>(d, n); } };
struct MakesDerivedBad : MakesBaseBad { MakesDerivedBad(int *d) : MakesBaseBad(d, 5) {} };
void inherit_base_constructor_bad_calls(int *d)
{
    MakesBaseBad base(d, 1);
    MakesDerivedBad derived(d);
}

struct MakesBaseOk { MakesBaseOk(int *d, int n) { inherit_base_constructor_ok<<<1, 32>>>(d, n); } };
struct MakesDerivedOk : MakesBaseOk { MakesDerivedOk(int *d) : MakesBaseOk(d, 1) {} };
void inherit_base_constructor_ok_calls(int *d)
{
    MakesBaseOk base(d, 1);
    MakesDerivedOk derived(d);
}

struct MadeNewBad { MadeNewBad(int *d, int n) { made_new_bad<<<1, 32>>>(d, n); } };
void made_new_bad_calls(int *d)
{
    MadeNewBad first(d, 1);
    auto *second = new MadeNewBad(d, 5);
}

struct MadeNewOk { MadeNewOk(int *d, int n) { made_new_ok<<<1, 32>>>(d, n > 1 ? 1 : n); } };
void made_new_ok_calls(int *d)
{
    MadeNewOk first(d, 1);
    auto *second = new MadeNewOk(d, 5);
}

struct MadeUnique { MadeUnique(int *d, int n) { made_unique_bad<<<1, 32>>>(d, n); } };
using MadeUniqueAlias = MadeUnique;
void made_unique_calls(int *d)
{
    MadeUnique first(d, 1);
    auto second = std::make_unique<MadeUniqueAlias>(d, 5);
}

struct MadeElement { MadeElement(int *d, int n) { made_element_bad<<<1, 32>>>(d, n); } };
void made_element_calls(int *d)
{
    MadeElement first(d, 1);
    std::vector<MadeElement> all;
    all.emplace_back(d, 5);
}

int *made_target;
struct MadeConversion { MadeConversion(int n) { made_conversion_bad<<<1, 32>>>(made_target, n); } };
void made_takes(const MadeConversion &);
void made_conversion_calls()
{
    MadeConversion first(1);
    made_takes(5);
}

struct MadeArray { MadeArray(int n = 5) { made_array_bad<<<1, 32>>>(made_target, n); } };
void made_array_calls()
{
    MadeArray first(1);
    MadeArray all[2];
}

int made_set(int &n) { return n = 5; }
int made_get(int &n) { return n; }
int made_count = 1;
struct MadeInitialiserBad { int id = made_set(made_count); };
void made_initialiser_bad_calls(int *d)
{
    made_count = 1;
    MadeInitialiserBad object;
    made_initialiser_bad<<<1, 32>>>(d, made_count);
}

struct MadeInitialiserOk { int id = 1; };
void made_initialiser_ok_calls(int *d)
{
    int n = 1;
    MadeInitialiserOk object;
    made_initialiser_ok<<<1, 32>>>(d, n);
}

void made_operand_bad_calls(int *d)
{
    int n = 1;
    int *held = new int[made_set(n)];
    made_operand_bad<<<1, 32>>>(d, n);
}

void made_operand_ok_calls(int *d)
{
    int n = 1;
    int *held = new int(made_get(n));
    delete held;
    made_operand_ok<<<1, 32>>>(d, n);
}

int *made_held(int &n)
{
    n = 5;
    return new int;
}
void made_deleted_calls(int *d)
{
    int n = 1;
    delete made_held(n);
    made_deleted_bad<<<1, 32>>>(d, n);
}

static void made_argument(int *d, int n) { made_argument_bad<<<1, 32>>>(d, n); }
template <class T, T F> void made_applied(int *d) { F(d, 5); }
void made_argument_calls(int *d)
{
    made_argument(d, 1);
    made_applied<decltype(&made_argument), &made_argument>(d);
}

struct ReachMethod { int *p; int m; void set(int); };
void reach_method_bad_calls(int *d)
{
    int n = 1;
    ReachMethod object;
    object.p = &n;
    object.set(5);
    reach_method_bad<<<1, 32>>>(d, n);
}

void reach_method_ok_calls(int *d)
{
    int n = 1, other = 1;
    ReachMethod object;
    object.p = &other;
    object.set(5);
    reach_method_ok<<<1, 32>>>(d, n);
}

struct ReachDestructorBase { int *p; ~ReachDestructorBase() { *p = 5; } };
struct ReachDestructor : ReachDestructorBase {};
void reach_destructor_bad_calls(int *d)
{
    int n = 1;
    {
        ReachDestructor object;
        object.p = &n;
    }
    reach_destructor_bad<<<1, 32>>>(d, n);
}

struct ReachBuffer { int *p; ~ReachBuffer() { cudaFree(p); } };
void reach_destructor_ok_calls(int *d)
{
    int n = 1;
    {
        ReachBuffer object;
        cudaMalloc(&object.p, 400);
    }
    reach_destructor_ok<<<1, 32>>>(d, n);
}

void reach_returns(int &n, bool early)
{
    ReachDestructor object;
    object.p = &n;
    if (early) return;
    n = 1;
}
void reach_return_calls(int *d)
{
    int n = 1;
    reach_returns(n, true);
    reach_return_bad<<<1, 32>>>(d, n);
}

struct ReachOperator { int *p; ReachOperator &operator+=(int); };
void reach_operator_calls(int *d)
{
    int n = 1;
    ReachOperator object;
    object.p = &n;
    object += 5;
    reach_operator_bad<<<1, 32>>>(d, n);
}

struct ReachPair { int *x, *y; void same() { y = x; } };
struct ReachPairDerived : ReachPair {};
void reach_swapped_calls()
{
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    ReachPairDerived pair;
    pair.x = a;
    pair.y = b;
    pair.same();
    reach_swapped_bad<<<1, 32>>>(pair.x, pair.y);
}
